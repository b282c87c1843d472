class Value {
};
