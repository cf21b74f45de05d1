// A family of metrics over rows of texts: the loop over rows, the memory that a worker reuses from
// row to row, and references that are read once. Each family has its own kind of RowSpace.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "rows/parallel.hpp"
#include "rows/units.hpp"

namespace summeval {

// Rows of texts: row i has candidates[i] and references[offsets[i] .. offsets[i + 1]), or
// references[i] alone when there are no offsets. Views without data are None.
struct Rows {
    const View* candidates;
    const View* references;
    const int64_t* offsets;
    int64_t size;

    int64_t begin(int64_t row) const noexcept { return offsets ? offsets[row] : row; }
    int64_t end(int64_t row) const noexcept { return offsets ? offsets[row + 1] : row + 1; }

    // How many of `workers` the rows are worth: to start a thread takes as long as to score
    // BYTES_PER_THREAD of short texts, so a thread is started only for at least as much.
    int worth(int workers) const noexcept {
        if (workers <= 1) return workers;
        const int64_t most = BYTES_PER_THREAD * workers;
        int64_t bytes = 0;
        for (int64_t row = 0; row < size && bytes < most; ++row) {
            bytes += candidates[row].size;
            if (!references) continue;
            for (int64_t i = begin(row); i < end(row) && bytes < most; ++i)
                bytes += references[i].size;
        }
        return static_cast<int>(std::max<int64_t>(1, bytes / BYTES_PER_THREAD));
    }
    static constexpr int64_t BYTES_PER_THREAD = int64_t{1} << 15;
};

// Other code may leave the upper halves of the vector registers in use; on some processors each
// instruction of a kernel would then have to keep them.
#if defined(__GNUC__) && defined(__x86_64__) && !defined(__AVX__)
inline const bool HAS_UPPER_HALVES = (__builtin_cpu_init(), __builtin_cpu_supports("avx"));
#endif
inline void free_upper_halves() noexcept {
#if defined(__GNUC__) && defined(__x86_64__) && !defined(__AVX__)
    if (HAS_UPPER_HALVES) __asm__ volatile("vzeroupper");
#endif
}

// References that were read once. Scoring does not change them, so threads may share them.
struct Ready {
    explicit Ready(size_t count) : texts(count) {}
    virtual ~Ready() = default;
    const size_t texts;
};

// The interface for kernel.pyx. Texts have data; functions that return a status throw only Stopped.
class TextEngine {
  public:
    virtual ~TextEngine() = default;

    // How many numbers a row has in a batch.
    virtual size_t width() const noexcept = 0;
    // out: [number][row], NaN for rows without candidate or reference.
    // `ready`: the references of all rows, which then have none; or null.
    virtual void score_rows(const Rows& rows, const Ready* ready, int workers, double* out,
                            FirstFailure& failure) = 0;
    void score_ready_rows(const Ready& ready, const View* candidates, int64_t size, int workers,
                          double* out, FirstFailure& failure) {
        score_rows({candidates, nullptr, nullptr, size}, &ready, workers, out, failure);
    }
    virtual int build(const View* views, size_t count, std::unique_ptr<Ready>& ready) = 0;
    // out: the numbers of a row, then the extra numbers that a family returns for a single pair.
    virtual int score_pair(const View* views, size_t count, View candidate,
                           std::vector<double>& out) = 0;
    virtual int score_ready(const Ready& ready, View candidate, std::vector<double>& out) = 0;
};

// The memory that a worker keeps from row to row, in every family.
class RowSpace {
  public:
    std::vector<View> views;  // the references of the row
    std::vector<double> results;

    // Whether `views` hold the same texts as in the last keep_views of the same call. A column
    // keeps its texts until the call ends, so the kept views are valid no longer.
    bool same_views() const noexcept {
        return std::equal(views.begin(), views.end(), kept_.begin(), kept_.end(),
                          [](View a, View b) {
                              return a.size == b.size &&
                                     (a.data == b.data ||
                                      std::memcmp(a.data, b.data, static_cast<size_t>(a.size)) == 0);
                          });
    }
    void keep_views() { kept_ = views; }
    void forget_views() noexcept { kept_.clear(); }

    // `call` is the number of the call that the rows belong to, or 0 for a single pair.
    void enter(uint64_t call) noexcept {
        if (call == 0 || call != call_) forget_views();
        call_ = call;
    }

    void gather(const Rows& rows, int64_t row) {
        views.clear();
        for (int64_t i = rows.begin(row); i < rows.end(row); ++i)
            if (rows.references[i].data) views.push_back(rows.references[i]);
    }

    void saw(View candidate, const View* texts, size_t count) noexcept {
        bytes_ = candidate.size;
        for (size_t i = 0; i < count; ++i) bytes_ += texts[i].size;
        bytes_ += static_cast<int64_t>(count) * EACH;
        largest_ = std::max(largest_, bytes_);
    }
    int64_t bytes() const noexcept { return bytes_; }
    int64_t largest() const noexcept { return largest_; }

  private:
    static constexpr int64_t EACH = 16;  // bytes that each text stands for beside its own

    std::vector<View> kept_;
    uint64_t call_ = 0;
    int64_t bytes_ = 0, largest_ = 0;  // of the last row, and of the longest
};

// What most families keep: a space beyond 2 ** KEPT_BITS bytes of texts in a row is discarded.
template <class SetupType, class ReferencesType, int KEPT_BITS>
class KeptSpace : public RowSpace {
  public:
    using Setup = SetupType;
    using References = ReferencesType;

    References references;

    void tell(std::vector<double>&) const {}
    bool worth_keeping() const noexcept { return largest() <= int64_t{1} << KEPT_BITS; }
};

// Every family has:
//   Setup                        what is measured, and how; never changes, so threads share it
//   References                   default constructible; shrink(): free what only building needed
//   width(setup)                 how many numbers a row has
//   Space                        a RowSpace made from a Setup, or from nothing, with
//     references                   those of the row
//     build(views, count, setup, references) -> status
//     score(candidate, references, setup, results) -> status
//     tell(out)                    appends the extra numbers that only a single pair returns
//     worth_keeping()              false if it has grown too large to keep for the next call
//   All of these may throw Stopped. The space is then discarded, so it may be inconsistent.
template <class Family>
class Engine final : public TextEngine, public Family::Setup {
  public:
    using Space = typename Family::Space;
    using References = typename Family::References;

    size_t width() const noexcept override { return Family::width(*this); }

    void score_rows(const Rows& rows, const Ready* ready, int workers, double* out,
                    FirstFailure& failure) override {
        const References* const of_all = ready && ready->texts ? &references_of(*ready) : nullptr;
        each_row(rows.size, rows.worth(workers), failure, [&](int64_t row, Space& space) {
            const View candidate = rows.candidates[row];
            const References* references = candidate.data ? of_all : nullptr;
            int status = OK;
            if (!ready)
                status = read_row(rows, row, space, references);
            else if (references)
                space.saw(candidate, nullptr, 0);
            space.results.assign(width(), MISSING);
            if (references)
                status = space.score(candidate, *references, *this, space.results.data());
            write(space.results, row, rows.size, out);
            return status;
        });
    }

    int build(const View* views, size_t count, std::unique_ptr<Ready>& ready) override {
        return with_space([&](Space& space) {
            std::unique_ptr<Prepared> prepared(new Prepared(count));
            space.saw({nullptr, 0}, views, count);
            const int status = space.build(views, count, *this, prepared->references);
            prepared->references.shrink();
            ready = std::move(prepared);
            return status;
        });
    }

    int score_pair(const View* views, size_t count, View candidate,
                   std::vector<double>& out) override {
        return with_space([&](Space& space) {
            space.saw(candidate, views, count);
            const int status = space.build(views, count, *this, space.references);
            return status == OK ? tell(candidate, space.references, space, out) : status;
        });
    }

    int score_ready(const Ready& ready, View candidate, std::vector<double>& out) override {
        return with_space([&](Space& space) {
            space.saw(candidate, nullptr, 0);
            return tell(candidate, references_of(ready), space, out);
        });
    }

    // Runs work(row, space) -> status for every row on `workers` threads.
    template <class Work>
    void each_row(int64_t rows, int workers, FirstFailure& failure, Work work) {
        static std::atomic<uint64_t> calls{0};
        const uint64_t call = ++calls;
        // One worker shares with nobody: few rows are one chunk.
        const int64_t share = workers > 1 ? rows / (int64_t{8} * workers) + 1 : rows;
        const int64_t chunk = std::clamp<int64_t>(share, 1, 256);
        for_chunks(rows, chunk, workers, [&](int64_t begin, int64_t end) {
            free_upper_halves();
            // if there is too little memory for a row, its space is discarded and a new one is made
            for (int64_t row = begin; row < end; ++row) {
                try {
                    auto space = take(call);
                    Pace pace;
                    for (; row < end; ++row) {
                        if (const int status = work(row, *space)) failure.note(row, status);
                        pace(ROW_STEPS + static_cast<uint64_t>(space->bytes()));
                    }
                    give_back(std::move(space));
                } catch (const std::bad_alloc&) {
                    failure.note(row, NO_MEMORY);
                } catch (const std::length_error&) {
                    failure.note(row, NO_MEMORY);
                }
            }
        });
    }

    // Points to the references of a row; reads them unless the previous row had the same. Points to
    // none if the row has no candidate or no reference.
    int read_row(const Rows& rows, int64_t row, Space& space, const References*& references) {
        const View candidate = rows.candidates[row];
        if (!candidate.data) return OK;
        space.gather(rows, row);
        const size_t count = space.views.size();
        space.saw(candidate, space.views.data(), count);
        if (count == 0) return OK;
        if (!space.same_views()) {
            space.forget_views();
            const int status = space.build(space.views.data(), count, *this, space.references);
            if (status != OK) return status;
            space.keep_views();
        }
        references = &space.references;
        return OK;
    }

  private:
    static constexpr double MISSING = std::numeric_limits<double>::quiet_NaN();
    static constexpr uint64_t ROW_STEPS = 256;  // of a row, in addition to those for its bytes

    struct Prepared final : Ready {
        using Ready::Ready;
        References references;
    };

    static const References& references_of(const Ready& ready) noexcept {
        return static_cast<const Prepared&>(ready).references;
    }

    int tell(View candidate, const References& references, Space& space,
             std::vector<double>& out) {
        out.resize(width());
        const int status = space.score(candidate, references, *this, out.data());
        if (status == OK) space.tell(out);
        return status;
    }

    static void write(const std::vector<double>& results, int64_t row, int64_t rows,
                      double* out) noexcept {
        out += row;
        for (const double result : results) {
            *out = result;
            out += rows;
        }
    }

    // Runs work(space) -> status; throws only Stopped.
    template <class Work>
    int with_space(Work work) {
        try {
            free_upper_halves();
            auto space = take(0);
            const int status = work(*space);
            give_back(std::move(space));
            return status;
        } catch (const std::bad_alloc&) {
            return NO_MEMORY;
        } catch (const std::length_error&) {
            return NO_MEMORY;
        }
    }

    std::unique_ptr<Space> take(uint64_t call) {
        auto space = pool_.take([this] {
            if constexpr (std::is_default_constructible_v<Space>)
                return std::make_unique<Space>();
            else
                return std::make_unique<Space>(*this);
        });
        space->enter(call);
        return space;
    }

    void give_back(std::unique_ptr<Space> space) noexcept {
        if (space->worth_keeping()) pool_.give_back(std::move(space));
    }

    Pool<Space> pool_;
};

// The family of a space that is a KeptSpace, and whose Setup has the width.
template <class SpaceType>
struct FamilyOf {
    using Setup = typename SpaceType::Setup;
    using References = typename SpaceType::References;
    using Space = SpaceType;
    static size_t width(const Setup& setup) noexcept { return setup.width(); }
};

template <class Space>
using EngineOf = Engine<FamilyOf<Space>>;

}  // namespace summeval
