class Type {};
