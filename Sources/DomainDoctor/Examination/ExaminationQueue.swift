/// Examines many domains, some of them at a time, and says in the order of the targets what came of each.
///
/// The observation of a domain is released once it is judged: only the judgement is kept, until all before it are done.
package struct ExaminationQueue: Sendable {
    /// Domains at a time; at least one.
    package let width: Int

    package init(width: Int) { self.width = max(1, width) }

    /// - Parameters:
    ///   - examine: examines a domain and judges what it sees; on any thread.
    ///   - progress: gets the number of domains that are done, in whatever order.
    ///   - finished: is given each result as soon as it and all before it are there.
    package func run<Result: Sendable>(
        _ targets: [Target], examine: @escaping @Sendable (Target) async -> Result, progress: (Int) -> Void = { _ in },
        finished: (Result) -> Void
    ) async {
        await withTaskGroup(of: (Int, Result).self) { group in
            var begun = 0
            func begin() {
                guard begun < targets.count else { return }
                let index = begun
                begun += 1
                group.addTask { (index, await examine(targets[index])) }
            }
            for _ in 0..<min(width, targets.count) { begin() }
            var waiting: [Int: Result] = [:]
            var reported = 0
            var done = 0
            while let (index, result) = await group.next() {
                begin()
                waiting[index] = result
                done += 1
                progress(done)
                while let next = waiting.removeValue(forKey: reported) {
                    finished(next)
                    reported += 1
                }
            }
        }
    }
}
