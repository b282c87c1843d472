// struct Quoted {}; is a comment.
namespace part {
struct Pair {
  struct Inner {};
};
namespace {
struct Hidden {};
} // namespace
namespace one {
struct Apart {};
} // namespace one
inline int twice(int value) { return 2 * value; }
inline int twice(long value) { return int(2 * value); }
template <typename T> struct List final : Pair {};
const char *text = "struct Text {";
enum class Kind : unsigned char { A };
struct Declared;
} // namespace part
