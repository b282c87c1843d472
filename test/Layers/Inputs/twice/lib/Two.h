namespace part {
class Pair {};
namespace {
struct Hidden {};
} // namespace
namespace two {
struct Apart {};
} // namespace two
inline int twice(int value) { return value + value; }
template <typename T> class List {};
enum Kind { B };
struct Declared;
struct Text {
  void use() { struct Local {}; }
};
struct Local {};
} // namespace part
namespace swizzle {
struct Common {};
} // namespace swizzle
