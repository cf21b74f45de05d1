// How a kernel ends early. Without the GIL no signal handler of Python can run, so that Ctrl-C would
// wait for the end of the call. Loops that can be long therefore count their steps, and now and then
// look: the thread that Python called runs the handlers that are due, and a thread made for the call
// reads its flag. Where the call is to end, `Stopped` flies out of the kernel. What the work was done
// in goes with it: nothing half done is kept for a later call.
#pragma once
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>
#ifndef _WIN32
#include <unistd.h>
#endif
#if defined(__GNUC__)
#define SUMMEVAL_SELDOM __attribute__((noinline, cold))  // stays out of the way of what is called often
#define SUMMEVAL_APART __attribute__((noinline))         // the same, but as fast as the rest
#else
#define SUMMEVAL_SELDOM
#define SUMMEVAL_APART
#endif

namespace summeval {

// Not a std::exception, so that no handler takes it for a want of memory. In the thread that Python
// called, Python's exception is set by then; Cython's `except +` lets it through.
struct Stopped {};

namespace stop {

using Clock = std::chrono::steady_clock;

constexpr size_t STEPS = 1 << 16;  // of some nanoseconds each, between two looks
constexpr std::chrono::milliseconds SELDOM{20}, SELDOMER{100};  // between two questions to Python

struct Thread {
    const std::atomic<bool>* flag = nullptr;  // of the call that the thread was made for
    Clock::time_point next{};                 // when Python is to be asked again
    int64_t elsewhere = 0;  // the process in which this was found not to be the main thread
};

inline Thread& here() noexcept {
    static thread_local Thread thread;
    return thread;
}

// Everything that needs Python. A program that is built without it has no signals to obey.
#ifdef PY_VERSION_HEX
inline int64_t process() noexcept {
#ifdef _WIN32
    return 1;
#else
    return getpid();  // another one after a fork, which makes its thread the main one
#endif
}

// Handlers run in the main thread alone. With the GIL. No code of Python runs here (threading's own
// functions are such code): a handler would run with it, and what it raised would be lost.
inline bool is_main_thread() noexcept {
    bool main = true;
    PyObject* const name = PyUnicode_FromString("threading");
    PyObject* const threading = name ? PyImport_GetModule(name) : nullptr;
    PyObject* const thread = threading ? PyObject_GetAttrString(threading, "_main_thread") : nullptr;
    PyObject* const ident = thread ? PyObject_GetAttrString(thread, "_ident") : nullptr;
    if (ident && PyLong_Check(ident))
        main = PyLong_AsUnsignedLongMask(ident) == PyThread_get_thread_ident();
    for (PyObject* object : {name, threading, thread, ident}) Py_XDECREF(object);
    PyErr_Clear();  // of a threading without these names
    return main;
}

// Runs the handlers that are due; whether one of them raised.
inline bool signalled(Thread& thread) noexcept {
    if (thread.elsewhere == process()) return false;
    const PyGILState_STATE state = PyGILState_Ensure();
    const bool main = is_main_thread();
    if (!main) thread.elsewhere = process();
    const bool raised = main && PyErr_CheckSignals() != 0;
    PyGILState_Release(state);
    return raised;
}
#else
inline bool signalled(Thread&) noexcept { return false; }
#endif

// Asks Python, unless it was asked a moment ago. Where others hold the GIL for long the question is
// put less often, so that waiting for it costs a twentieth of the time at most.
inline void ask(Thread& thread) {
    const Clock::time_point start = Clock::now();
    if (start < thread.next) return;
    const bool raised = signalled(thread);
    const Clock::time_point end = Clock::now();
    const Clock::duration pause = 20 * (end - start);
    thread.next = end + std::min<Clock::duration>(std::max<Clock::duration>(pause, SELDOM), SELDOMER);
    if (raised) throw Stopped{};
}

// Throws Stopped if the call is to end.
SUMMEVAL_SELDOM inline void look() {
    Thread& thread = here();
    if (thread.flag == nullptr) return ask(thread);
    if (thread.flag->load(std::memory_order_relaxed)) throw Stopped{};
}

}  // namespace stop

// Counts the steps of a loop, a step being a few nanoseconds, and looks when there were many. A
// short loop pays a subtraction for each call.
class Pace {
  public:
    void operator()(uint64_t steps) {
        if (steps < left_) {
            left_ -= steps;
            return;
        }
        left_ = stop::STEPS;
        stop::look();
    }

  private:
    uint64_t left_ = stop::STEPS;
};

// The pieces of [0, size), for a loop around the loop over each; between them it looks. (Two loops,
// since a test in the inner one would cost too much where little is done.)
//
//     for (const auto [begin, end] : pieces(size))
//         for (size_t k = begin; k < end; ++k) ...
class Pieces {
  public:
    struct Piece {
        size_t begin, end;
    };
    struct End {};

    explicit Pieces(size_t size) noexcept : size_(size) {}
    Pieces begin() const noexcept { return *this; }
    End end() const noexcept { return {}; }
    bool operator!=(End) const noexcept { return begin_ < size_; }
    Piece operator*() const noexcept { return {begin_, last() ? size_ : begin_ + PIECE}; }
    void operator++() {
        if (last()) {
            begin_ = size_;
            return;
        }
        begin_ += PIECE;
        stop::look();
    }

  private:
    static constexpr size_t PIECE = stop::STEPS;
    bool last() const noexcept { return size_ - begin_ <= PIECE; }

    size_t size_, begin_ = 0;
};

inline Pieces pieces(size_t size) noexcept { return Pieces(size); }

template <class Work>
SUMMEVAL_APART void each_of_pieces(size_t size, Work work) {
    for (const auto [begin, end] : pieces(size)) work(begin, end);
}

// Calls work(begin, end) for the same pieces. A loop of one piece is compiled as if there were no
// other: in the loops that each short text goes through, the registers that a look takes cost 5 %.
// `work` has copies of what it needs, or else the compiler would keep that in memory.
template <class Work>
inline void each_piece(size_t size, Work work) {
    if (size <= stop::STEPS) return work(size_t{0}, size);
    each_of_pieces(size, work);
}

// Makes the vector longer. Much memory takes long to be given, so it is asked for piece by piece.
template <class T>
SUMMEVAL_SELDOM inline void grow(std::vector<T>& items, size_t size) {
    constexpr size_t PIECE = (size_t{1} << 22) / sizeof(T) + 1;
    if (size <= items.size()) return;
    items.reserve(size);
    while (size - items.size() > PIECE) {
        items.resize(items.size() + PIECE);
        stop::look();
    }
    items.resize(size);
}

template <class T>
inline void copy_pieces(const T* from, size_t size, T* to) {
    each_piece(size, [=](size_t begin, size_t end) { std::copy(from + begin, from + end, to + begin); });
}

}  // namespace summeval
