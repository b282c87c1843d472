class Value {};
