class Type {
};
