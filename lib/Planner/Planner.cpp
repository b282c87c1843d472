//===- Planner.cpp - Offline search for a workgroup order -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A multi-fidelity search: the footprint model scores hundreds of orders,
// sampled simulation a dozen and neighbours of the best while the budget lasts,
// and a finer simulation the best of those. The figures that are reported come
// from a simulation of higher fidelity still; if it does not confirm the gain,
// the kernel is left alone. The budget counts simulated accesses, never time,
// so that the same input gives the same plan on every machine.
//
//   footprint model       hundreds of orders       -> 12 of different shapes
//   sampled simulation    12, neighbours of 6      -> at most 16 finalists
//   finer simulation      those that may win       -> one order, or none
//
//===----------------------------------------------------------------------===//

#include "swizzle/Planner/Planner.h"

#include "BailOut.h"
#include "Constants.h"
#include "FootprintSearch.h"
#include "Footprints/CoarseModel.h"
#include "NumbersInRuns.h"
#include "Orders/Folding.h"
#include "Orders/SearchSpace.h"
#include "Trials/Constants.h"
#include "Trials/Evaluation.h"
#include "Trials/Sampling.h"
#include "Wording.h"
#include "swizzle/Formula/Lowering/Lowering.h"
#include "swizzle/Hardware/Completion.h"
#include "swizzle/Planner/OrderSimulator.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <set>
#include <thread>

namespace swizzle {

using namespace planner;

namespace {

using Constants = SearchConstants;

/// What workgroups of `model` share, which may be known.
ReuseTable reuseOf(const KernelModel &model, int64_t lineBytes,
                   const PlannerOptions &options) {
  if (options.reuse && options.reuse->lineBytes == lineBytes)
    return *options.reuse;
  return analyseReuse(model, lineBytes);
}

class Search {
public:
  /// Of `launched`, `model` is all or a folded part: its first workgroups, in
  /// their order.
  Search(const KernelModel &model, const KernelModel &launched,
         const HardwareSpec &hardware, const PlannerOptions &options)
      : model(model), launched(launched), hardware(hardware), options(options),
        space(model, hardware), evaluation(model, hardware, options, space) {}

  llvm::Expected<Plan> run() {
    llvm::Error error = decide();
    result.work += evaluation.work();
    if (!error && simulated)
      error = tell();
    if (error.isA<Interrupted>()) {
      // Asked for: the best so far is the answer, and says so.
      llvm::consumeError(std::move(error));
      settleForBest();
      return std::move(result);
    }
    if (error)
      return std::move(error);
    return std::move(result);
  }

private:
  llvm::Error decide() {
    result.reuse = reuseOf(model, *completeSharedLevel(hardware).lineBytes,
                           &model == &launched ? options : PlannerOptions());
    if (result.reuse.buffers.empty()) {
      keep("nothing-modelled", "no access to global memory is modelled");
      return llvm::Error::success();
    }
    // Who shares lines is found while the kernel as it is is simulated.
    std::optional<CoarseModel> coarse;
    std::thread finder;
    if (llvm::Error error = Simulator(model, hardware).check())
      return error;
    auto find = [&] {
      coarse.emplace(model, hardware,
                     std::max<int64_t>(1, occupancy(model, hardware)),
                     options.deadline);
    };
    if (!whyNoOrderHelps(model, result.reuse, Metrics(), options.margin))
      finder = std::thread(find);
    llvm::Error error = evaluation.baseline(result.reuse);
    if (finder.joinable())
      finder.join();
    if (coarse)
      result.work += coarse->work();
    if (error)
      return error;
    simulated = true;
    if (std::optional<BailOut> bailOut = whyNoOrderHelps(
            model, result.reuse, evaluation.before(), options.margin)) {
      keep(bailOut->code, std::move(bailOut->reason));
      return llvm::Error::success();
    }
    if (!coarse) { // nobody shares, but memory may be used in larger pieces
      find();
      result.work += coarse->work();
    }
    coarse->setUnchanged(evaluation.before());
    return search(*coarse);
  }

  void keep(std::string code, std::string reason) {
    result.reasonCode = std::move(code);
    result.reason = std::move(reason);
  }

  llvm::Error search(CoarseModel &coarse) {
    FootprintSearch footprints(model, hardware, space, coarse,
                               options.deadline);
    llvm::scope_exit addWork([&] { result.work += footprints.work(); });

    // Sampled simulation: the best of each shape, then neighbours of the best.
    std::vector<Order> first =
        bestOfShapes(footprints.run(), Constants::simulatedOrders,
                     coarse.isBoundByLatency());
    // One of them early: of a deep kernel only the first few are simulated.
    for (auto [index, order] : llvm::enumerate(footprints.sharing()))
      first.insert(index ? first.end() : first.begin() + 1, order);
    // So are plain ones where footprints say little.
    if (!coarse.seesAll()) {
      std::vector<Order> plain = space.plain();
      first.insert(first.begin(), plain.begin(), plain.end());
    }
    if (llvm::Error error = evaluation.simulate(first))
      return error;
    if (leavesUnitsIdle(evaluation.before()))
      if (llvm::Error error = evaluation.simulate(fromTheOtherEnd()))
        return error;
    std::set<std::string> expanded;
    while (!evaluation.exhausted()) {
      std::vector<const Trial *> open;
      for (const Trial &trial : evaluation.ranked())
        if (!expanded.count(trial.name))
          open.push_back(&trial);
      const Trial *best = evaluation.preferred(open);
      if (!best || expanded.size() == Constants::expandedOrders)
        break;
      expanded.insert(best->name);
      std::vector<Scored> next =
          footprints.score(space.neighbours(best->order));
      std::vector<Order> orders;
      for (const Scored &s :
           llvm::ArrayRef(next).take_front(Constants::neighboursOfOne))
        orders.push_back(s.order);
      if (llvm::Error error = evaluation.simulate(orders))
        return error;
    }

    // The finalists, at higher fidelity.
    if (llvm::Error error = evaluation.finish())
      return error;
    for (const Trial &trial : evaluation.ranked())
      if (!trial.unchanged)
        result.candidates.push_back({trial.name,
                                     trial.order.toFormula(model.grid).print(),
                                     {},
                                     trial.cost,
                                     trial.metrics});
    chosen = evaluation.chosen();
    if (std::string why = chosen ? "" : evaluation.whyNone(); !why.empty())
      keep("no-gain", why + notSimulated());
    return llvm::Error::success();
  }

  /// Where units are idle at the end of the launch: the best order backwards,
  /// and each axis walked backwards outermost. What takes long may then begin
  /// first.
  std::vector<Order> fromTheOtherEnd() const {
    std::vector<Order> orders;
    if (!evaluation.ranked().empty())
      orders.push_back(SearchSpace::turned(evaluation.ranked().front().order));
    for (unsigned outermost = 0; outermost < 3; ++outermost) {
      auto placeOf = [&](unsigned axis) {
        return model.grid[axis] <= 1 ? 0 : axis == outermost ? 1 : 2;
      };
      LoopNest nest;
      for (int place = 0; place < 3; ++place)
        for (unsigned axis = 3; axis-- > 0;)
          if (placeOf(axis) == place)
            nest.levels.push_back({axis});
      if (model.grid[outermost] > 1)
        orders.push_back({nest, CurveKind::None, true});
    }
    return orders;
  }

  /// Scalar instructions of the remap that will be emitted. The search
  /// estimates them on a smaller grid.
  int64_t costOf(const Trial &trial) const {
    llvm::Expected<LoweredFormula> lowered =
        lower(trial.order.toFormula(model.grid), evaluation.environmentOf());
    if (lowered)
      return estimateCost(*lowered);
    llvm::consumeError(lowered.takeError()); // not possible: Evaluation::costOf
    return trial.cost;
  }

  /// The figures of the kernel, and the chosen order or its rival, if a closer
  /// look confirms it: what a choice among orders was made by may be less.
  llvm::Error tell() {
    bool isPart = model.grid.count() < launched.grid.count();
    if (!chosen && !options.figuresOfKept && !isPart) {
      takeFiguresOfSearch();
      return llvm::Error::success();
    }
    double accesses = options.full ? HUGE_VAL : options.figureAccesses;
    const Trial *rival = evaluation.rival();
    if (llvm::Error error = look(accesses, rival))
      return error;
    // What a window says of an order is confirmed by more of the launch.
    if (result.formula && result.simulation.prefix < 1) {
      isPreliminary = true;
      if (llvm::Error error =
              look(Constants::ofWindows * accesses, /*rival=*/nullptr))
        return error;
      isPreliminary = false;
    }
    return result.formula ? tryInRuns() : llvm::Error::success();
  }

  /// Looks at the chosen order, and at its rival if there is one, as closely as
  /// `accesses` allow.
  llvm::Error look(double accesses, const Trial *rival) {
    OrderSimulator simulator(launched, hardware, accesses);
    simulator.setDeadline(options.deadline);
    if (&model == &launched) {
      simulator.setReuse(result.reuse);
      simulator.startLike(evaluation.simulations());
    }
    // The chosen one, and then its rival.
    std::vector<const Trial *> looked;
    for (const Trial *trial : {chosen, rival})
      if (trial)
        looked.push_back(trial);
    std::vector<OrderSimulator::Request> requests;
    for (const Trial *trial : looked)
      requests.push_back(requestFor(*trial));
    llvm::Expected<std::vector<Metrics>> after =
        simulator.simulateAll(requests);
    if (!after)
      return after.takeError();
    llvm::Expected<Metrics> before = simulator.simulate({});
    if (!before)
      return before.takeError();
    result.work += simulator.work();
    result.before = result.after = std::move(*before);
    result.simulation = simulator.options();
    if (!chosen)
      return llvm::Error::success();
    Metrics &one = after->front(), &other = after->back();
    if (looked.size() > 1 && evaluation.isNoSlower(other, one) &&
        isWorthIt(other)) {
      chosen = looked.back();
      confirm(std::move(other));
    } else {
      confirm(std::move(one));
    }
    return llvm::Error::success();
  }

  /// What memory holds may be sorted: an order that is slower then is none.
  llvm::Error tryInRuns() {
    std::optional<KernelModel> inRuns = withNumbersInRuns(launched);
    if (!inRuns)
      return llvm::Error::success();
    // As coarse as in the search.
    Sampling sampling(*inRuns, hardware, Sampling::LeaveOut::Lines);
    sampling.setDeadline(options.deadline);
    sampling.setCeiling(EvaluationConstants::shareOfDeepest *
                        options.accessBudget);
    if (llvm::Error error =
            sampling.settle(result.reuse, EvaluationConstants::shareOfOne *
                                              options.accessBudget))
      return error;
    OrderSimulator::Request request = requestFor(*chosen);
    llvm::Expected<std::vector<Metrics>> after = sampling.measure(
        Sampling::Job{request.tilesOf(sampling.first(), sampling.count()),
                      request.remapInstructions, 0});
    if (!after)
      return after.takeError();
    result.work += sampling.work();
    const Metrics &before = sampling.before();
    double lost = timeOf(after->front(), before) / before.timeUs - 1;
    double gain = gainOf(result.after);
    if (lost <= std::min(Constants::lostInRuns, Constants::lostOfGain * gain))
      return llvm::Error::success();
    keep("no-gain",
         llvm::formatv("the best of {0} simulated orders gains {1:P1} where "
                       "numbers from memory, which nobody knows, are spread "
                       "evenly, and loses {2:P1} where they are sorted",
                       evaluation.ranked().size(), gain, lost)
                 .str() +
             notSimulated());
    result.formula.reset();
    result.description.clear();
    result.after = result.before;
    return llvm::Error::success();
  }

  OrderSimulator::Request requestFor(const Trial &trial) const {
    auto tilesOf = [this, &trial](int64_t first, int64_t count) {
      // Behind a folded part, all stay where they are.
      int64_t part = std::clamp<int64_t>(model.grid.count() - first, 0, count);
      std::vector<uint32_t> tiles = space.tiles(trial.order, first, part);
      for (int64_t id = first + part; id < first + count; ++id)
        tiles.push_back(static_cast<uint32_t>(id));
      return tiles;
    };
    return {tilesOf, double(costOf(trial) + model.guardInstructions -
                            launched.guardInstructions)};
  }

  bool isWorthIt(const Metrics &after) const {
    return gainOf(after) >=
           leastGain(options.margin, result.simulation, result.before, after);
  }

  /// The lesser of what is told and that for as much work as the kernel's.
  double gainOf(const Metrics &after) const {
    double time = std::max(after.timeUs, timeOf(after, result.before));
    return time > 0 ? result.before.timeUs / time - 1 : 0;
  }

  /// Windows hold a little more or less of the work.
  static double timeOf(const Metrics &after, const Metrics &before) {
    double scale =
        after.lineAccesses > 0 ? before.lineAccesses / after.lineAccesses : 1;
    return after.timeUs * scale;
  }

  /// The kernel as it is, as the search saw it; of a folded one, what was
  /// folded.
  void takeFiguresOfSearch() {
    result.before = result.after = evaluation.before();
    result.simulation = evaluation.detail();
  }

  /// The deadline passed: what was seen so far decides.
  void settleForBest() {
    if (!simulated)
      return keep("interrupted", "the time was up before the kernel was "
                                 "simulated as it is");
    if (result.formula) { // and looked at closely, but not again
      if (isPreliminary)
        result.reason += "; the time was up before a closer look";
      return;
    }
    takeFiguresOfSearch();
    if (!result.reasonCode.empty())
      return; // decided; only a closer look is missing
    const Trial *best = chosen && evaluation.isWorthIt(*chosen)
                            ? chosen
                            : evaluation.bestSoFar();
    size_t count = evaluation.ranked().size();
    if (!count)
      return keep("interrupted", "the time was up before any order was "
                                 "simulated");
    if (!best)
      return keep("interrupted",
                  llvm::formatv("the time was up; none of the {0} orders "
                                "simulated so far is faster",
                                count));
    result.formula = best->order.toFormula(model.grid);
    result.description = best->name;
    result.after = best->metrics;
    keep("improved",
         llvm::formatv(
             "{0}: time {1} us (simulated{2}); the time was up: best of the "
             "{3} orders simulated so far, without a closer look",
             best->name, fromTo(result.before.timeUs, result.after.timeUs),
             partSimulated(), count));
  }

  /// What the figures leave out: "memref.load of arg0 and 2 more".
  std::string leftOut() const {
    std::vector<const NotModelled *> unseen = model.unseen();
    if (unseen.empty())
      return "";
    std::string more;
    if (unseen.size() > 1)
      more = llvm::formatv(" and {0} more", unseen.size() - 1);
    return unseen.front()->what + more;
  }

  /// The same for behind "simulated".
  std::string partSimulated() const {
    std::string what = leftOut();
    return what.empty() ? what : ", without " + what;
  }

  /// The same for where no order is worth it.
  std::string notSimulated() const {
    std::string what = leftOut();
    return what.empty() ? what
                        : "; not modelled, and so not simulated: " + what;
  }

  void confirm(Metrics after) {
    result.formula.reset();
    result.description.clear();
    if (!isWorthIt(after)) {
      keep("no-gain",
           llvm::formatv("at a closer look, the best of {0} simulated orders "
                         "gains {1}",
                         evaluation.ranked().size(),
                         tooLittle(gainOf(after), options.margin,
                                   result.simulation, result.before, after))
                   .str() +
               notSimulated());
      return;
    }
    result.formula = chosen->order.toFormula(model.grid);
    result.description = chosen->name;
    result.after = std::move(after);
    result.reasonCode = "improved";
    result.reason = llvm::formatv(
        "{0}: time {1} us (simulated{2}); best of {3} simulated orders",
        chosen->name, fromTo(result.before.timeUs, result.after.timeUs),
        partSimulated(), evaluation.ranked().size());
  }

  const KernelModel &model, &launched;
  const HardwareSpec &hardware;
  const PlannerOptions &options;
  SearchSpace space;
  Evaluation evaluation;
  bool simulated = false; ///< the kernel as it is, by `evaluation`
  /// What was chosen is yet to be looked at in more of the launch.
  bool isPreliminary = false;
  const Trial *chosen = nullptr;
  Plan result;
};

} // namespace

llvm::Expected<Plan> plan(const KernelModel &model,
                          const HardwareSpec &hardware,
                          const PlannerOptions &options) {
  std::optional<Folding> folding = findFolding(model);
  if (!folding)
    return Search(model, model, hardware, options).run();
  KernelModel folded = folding->fold(model);
  llvm::Expected<Plan> found = Search(folded, model, hardware, options).run();
  if (!found)
    return found.takeError();
  std::string as = "as a grid of " + toString(folding->grid) + ": ";
  if (found->formula) {
    found->formula = folding->unfold(*found->formula);
    found->description = as + found->description;
    found->reason = as + found->reason;
  }
  for (Candidate &candidate : found->candidates) {
    candidate.formula =
        folding->unfold(llvm::cantFail(Formula::parse(candidate.formula)))
            .print();
    candidate.description = as + candidate.description;
  }
  found->reuse = reuseOf(model, found->reuse.lineBytes, options);
  return found;
}

} // namespace swizzle
