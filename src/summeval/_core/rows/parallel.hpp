// The only thread loop: rows are handed out in chunks to std::threads that live for one call. (A
// thread pool or OpenMP would hang in a process that was forked after its first use.)
#pragma once
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "rows/stop.hpp"

namespace summeval {

// Waits for the threads of a call. Meanwhile the thread that Python called keeps checking whether
// the call must end.
class Runners {
  public:
    void start() {
        const std::lock_guard<std::mutex> lock(mutex_);
        ++running_;
    }
    void end() noexcept {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (--running_ == 0) ended_.notify_all();
    }
    void wait(std::atomic<bool>& stopped) noexcept {
        std::unique_lock<std::mutex> lock(mutex_);
        while (!ended_.wait_for(lock, stop::SELDOM, [this] { return running_ == 0; })) {
            if (stopped) continue;  // Python's exception is set already: do not ask again
            lock.unlock();
            try {
                stop::look();
            } catch (const Stopped&) {
                stopped = true;
            }
            lock.lock();
        }
    }

  private:
    std::mutex mutex_;
    std::condition_variable ended_;
    int64_t running_ = 0;
};

// Calls work(begin, end) for chunks that cover [0, rows), on `workers` threads; the caller is one
// of them. `work` may throw only Stopped: it ends the work of all threads, and the caller gets it.
template <class Work>
inline void for_chunks(int64_t rows, int64_t chunk, int workers, Work work) {
    std::atomic<int64_t> next{0};
    std::atomic<bool> stopped{false};
    const auto loop = [&]() noexcept {
        try {
            while (!stopped.load(std::memory_order_relaxed)) {
                const int64_t begin = next.fetch_add(chunk);
                if (begin >= rows) return;
                const int64_t end = begin + chunk < rows ? begin + chunk : rows;
                work(begin, end);
                if (end == rows) return;
                stop::look();
            }
        } catch (const Stopped&) {
            stopped = true;
        }
    };
    const int64_t chunks = (rows + chunk - 1) / chunk;
    std::vector<std::thread> threads;
    Runners runners;
    const auto run = [&]() noexcept {
        stop::here().flag = &stopped;
        loop();
        runners.end();
    };
    try {
        for (int64_t i = 1; i < workers && i < chunks; ++i) {
            runners.start();
            try {
                threads.emplace_back(run);
            } catch (...) {
                runners.end();
                throw;
            }
        }
    } catch (const std::system_error&) {
        // the system gives no more threads: continue with the existing ones
    } catch (const std::bad_alloc&) {
    }
    loop();
    if (!threads.empty()) runners.wait(stopped);
    for (std::thread& thread : threads) thread.join();
    if (stopped) throw Stopped{};
}

// Keeps finished workspaces for the next call. It never waits: if the lock is taken, or was held at
// a fork, the caller makes its own workspace. One of the whole program is never destroyed: when the
// process ends, daemon threads may still use it.
template <class T>
class Pool {
  public:
    template <class Make>
    std::unique_ptr<T> take(Make make) {
        std::unique_lock<std::mutex> lock(mutex_, std::try_to_lock);
        if (lock.owns_lock() && !idle_.empty()) {
            std::unique_ptr<T> item = std::move(idle_.back());
            idle_.pop_back();
            return item;
        }
        if (lock.owns_lock()) lock.unlock();
        return make();
    }

    void give_back(std::unique_ptr<T> item) noexcept {
        std::unique_lock<std::mutex> lock(mutex_, std::try_to_lock);
        if (!lock.owns_lock() || idle_.size() >= KEPT) return;
        try {
            idle_.push_back(std::move(item));
        } catch (const std::bad_alloc&) {
        }
    }

  private:
    static constexpr size_t KEPT = 64;
    std::mutex mutex_;
    std::vector<std::unique_ptr<T>> idle_;
};

// The first row that failed, and why; the same for any number of workers. With `keep`, also the
// status of every row, one byte each.
class FirstFailure {
  public:
    void keep(uint8_t* statuses) noexcept { statuses_ = statuses; }
    void note(int64_t row, int status) noexcept {
        if (statuses_) statuses_[row] = static_cast<uint8_t>(status);
        const int64_t own = row * 256 + status;
        int64_t seen = first_.load();
        while (own < seen && !first_.compare_exchange_weak(seen, own)) {
        }
    }
    bool any() const noexcept { return first_.load() != INT64_MAX; }
    int64_t row() const noexcept { return first_.load() / 256; }
    int status() const noexcept { return static_cast<int>(first_.load() % 256); }

  private:
    std::atomic<int64_t> first_{INT64_MAX};
    uint8_t* statuses_ = nullptr;  // zeros at first; one thread writes each entry
};

// As for_chunks, with work(row, space) for each row: each chunk takes a space from the pool, or
// makes one. If memory is lacking, `status` is noted for the row; its space and the rest of its
// chunk are left.
template <class T, class Make, class Work>
inline void for_rows(Pool<T>& pool, int64_t rows, int64_t chunk, int workers, FirstFailure& failed,
                     int status, Make make, Work work) {
    for_chunks(rows, chunk, workers, [&](int64_t begin, int64_t end) {
        int64_t row = begin;
        try {
            std::unique_ptr<T> space = pool.take(make);
            for (; row < end; ++row) work(row, *space);
            if (space->worth_keeping()) pool.give_back(std::move(space));
        } catch (const std::bad_alloc&) {
            failed.note(row, status);
        }
    });
}

}  // namespace summeval
