// How a kernel ends early. Without the GIL no signal handler of Python can run, so Ctrl-C would
// wait until the call ends. Long loops therefore count their steps and check now and then: the
// thread that Python called runs the pending handlers, and a thread made for the call reads the
// flag of the call. If the call must end, the kernel throws `Stopped`. Its workspace is discarded:
// nothing half done is kept for a later call.
#pragma once
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>
#ifndef _WIN32
#include <pthread.h>
#endif
#if defined(__GNUC__)
#define SUMMEVAL_SELDOM __attribute__((noinline, cold))  // keep rare code out of hot code
#define SUMMEVAL_APART __attribute__((noinline))         // the same, but optimised for speed
#else
#define SUMMEVAL_SELDOM
#define SUMMEVAL_APART
#endif

namespace summeval {

// Not a std::exception, so no handler mistakes it for a lack of memory. In the thread that Python
// called, Python's exception is already set; Cython's `except +` passes it on.
struct Stopped {};

namespace stop {

using Clock = std::chrono::steady_clock;

constexpr size_t STEPS = 1 << 16;  // of a few nanoseconds each, between two checks
constexpr std::chrono::milliseconds SELDOM{20}, SELDOMER{100};  // between two calls into Python

struct Thread {
    const std::atomic<bool>* flag = nullptr;  // of the call, in a thread made for it
    Clock::time_point next{};                 // when to call Python again
};

inline Thread& here() noexcept {
    static thread_local Thread thread;
    return thread;
}

// Everything that needs Python. A program built without Python has no signals to handle.
#ifdef PY_VERSION_HEX
//
// Handlers run only in the main thread, so no other one asks for the GIL: while the interpreter ends,
// Python would unwind it from inside a kernel. It is known beforehand which thread is the main one,
// since finding out needs the GIL: the import that loads this code holds it. A fork makes the forking
// thread the main one.
class MainThread {
  public:
    MainThread() noexcept : ident_(found()) {
#ifndef _WIN32
        pthread_atfork(nullptr, nullptr, forked);
#endif
    }
    bool is_here() const noexcept { return ident_ == PyThread_get_thread_ident(); }

  private:
    static unsigned long found() noexcept;
    static void forked() noexcept;

    std::atomic<unsigned long> ident_;
};
inline MainThread main_thread;

inline void MainThread::forked() noexcept { main_thread.ident_ = PyThread_get_thread_ident(); }

// This runs no Python code, which could be interrupted, and imports nothing: without `threading`
// there is one thread.
inline unsigned long MainThread::found() noexcept {
    unsigned long main = PyThread_get_thread_ident();
    PyObject* const name = PyUnicode_FromString("threading");
    PyObject* const threading = name ? PyImport_GetModule(name) : nullptr;
    PyObject* const thread = threading ? PyObject_GetAttrString(threading, "_main_thread") : nullptr;
    PyObject* const ident = thread ? PyObject_GetAttrString(thread, "_ident") : nullptr;
    if (ident && PyLong_Check(ident)) main = PyLong_AsUnsignedLongMask(ident);
    for (PyObject* object : {name, threading, thread, ident}) Py_XDECREF(object);
    PyErr_Clear();  // raised by a `threading` module without these names
    return main;
}

// Runs the pending handlers; returns whether one of them raised.
inline bool signalled() {
    if (!main_thread.is_here()) return false;
    const PyGILState_STATE state = PyGILState_Ensure();
    const bool raised = PyErr_CheckSignals() != 0;
    PyGILState_Release(state);
    return raised;
}
#else
inline bool signalled() noexcept { return false; }
#endif

// Calls into Python, unless it did so a moment ago. If other threads hold the GIL for long it calls
// less often, so that waiting for the GIL costs at most a twentieth of the time.
inline void ask(Thread& thread) {
    const Clock::time_point start = Clock::now();
    if (start < thread.next) return;
    const bool raised = signalled();
    const Clock::time_point end = Clock::now();
    const Clock::duration pause = 20 * (end - start);
    thread.next = end + std::min<Clock::duration>(std::max<Clock::duration>(pause, SELDOM), SELDOMER);
    if (raised) throw Stopped{};
}

// Throws Stopped if the call must end.
SUMMEVAL_SELDOM inline void look() {
    Thread& thread = here();
    if (thread.flag == nullptr) return ask(thread);
    if (thread.flag->load(std::memory_order_relaxed)) throw Stopped{};
}

}  // namespace stop

// Counts the steps of a loop (a step takes a few nanoseconds) and checks after every STEPS of them.
// A short loop costs one subtraction per call.
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

// The pieces of [0, size), for a loop around the loop over each piece; it checks between two
// pieces. (Two loops, since a test in the inner loop would cost too much if its body is short.)
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
// outer loop: in the loops that every short text runs, the registers for the check cost 5 %. `work`
// captures by value; otherwise the compiler would keep the captured values in memory.
template <class Work>
inline void each_piece(size_t size, Work work) {
    if (size <= stop::STEPS) return work(size_t{0}, size);
    each_of_pieces(size, work);
}

// Makes the vector longer. The system takes long to provide much memory, so it grows piece by
// piece.
template <class T, class Allocator>
SUMMEVAL_SELDOM inline void grow(std::vector<T, Allocator>& items, size_t size) {
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
