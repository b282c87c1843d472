class Type;
enum Kind { Value };
std::string name(Type *type);
