extension UserActivityCenter {
    /// Delivers what can be delivered once everybody is there who is added in the same turn of the main actor: the first
    /// module of several is not the only one that is asked.
    func advanceSoon() {
        guard !willAdvance else { return }
        willAdvance = true
        Task { [weak self] in self?.advanceNow() }
    }

    private func advanceNow() {
        willAdvance = false
        let later = later.sorted { $0.received.number < $1.received.number }
        self.later = []
        tidyUp()
        for delivery in pending.take(where: isReady) + later { goOn(delivery) }
        rest()
    }

    /// Delivers what can be delivered: to be called when a gate has opened, or something has ended.
    func advance() {
        tidyUp()
        for delivery in pending.take(where: isReady) { offer(delivery) }
        rest()
    }

    /// Delivers the newest if it can be delivered; otherwise it waits. For the others nothing has changed.
    func advance(with newest: Delivery) {
        tidyUp()
        goOn(newest)
        rest()
    }

    /// Lets one go on that is with nobody: to the next handler, or to those that wait.
    func goOn(_ delivery: Delivery) {
        if willAdvance {
            later.append(delivery)
        } else if isReady(for: delivery) {
            offer(delivery)
        } else {
            pending.add(delivery)
        }
    }

    /// Waits for what comes next.
    private func rest() {
        for dropped in pending.trim() { finish(dropped, .dropped) }
        watchExpiry()
        tellWhetherRunning()
    }

    private func tidyUp() {
        for expired in pending.expire(timekeeper.now()) { finish(expired, .expired) }
        for module in modules where !module.isThere { remove(module) }
    }

    /// Whether the gates are open, and everybody is there who can be asked.
    private func isReady(for delivery: Delivery) -> Bool {
        let received = delivery.received
        return !willAdvance && isOpen(for: received.scene)
            && modules.contains { $0.isThere && received.isFor($0.scene) }
    }

    /// Hands an activity to the first route that matches and has not declined it.
    private func offer(_ delivery: Delivery) {
        let question = RouteQuestion(delivery.received)
        for module in modules where module.isThere && delivery.received.isFor(module.scene) {
            for (index, route) in module.table.routes.enumerated() {
                guard !delivery.hasDeclined(RoutePlace(module: module.id, route: index)),
                    case .taken(_, let action) = route.attempt(question)
                else { continue }
                return admit(Run(newID(), delivery, module, index, action), route.policy)
            }
        }
        fallBack(delivery)
    }

    private func admit(_ run: Run, _ policy: ExecutionPolicy) {
        switch policy {
        case .sideBySide: begin(run)
        case .oneAfterAnother:
            if let lane = run.lane, lane.isBusy { lane.wait(run) } else { begin(run) }
        case .newestWins:
            // More than once only if a newer one comes from what is told to stop.
            while let newest = run.lane?.newest {
                // It may have been with another route first.
                guard newest.number < run.number else { return finish(run.delivery, .superseded(by: newest.number)) }
                newest.supersede()
                finish(newest.delivery, .superseded(by: run.number))
            }
            begin(run)
        }
    }

    private func begin(_ run: Run) {
        run.lane?.began(run)
        runs[run.id] = run
        tasks[run.id] = run.begin { [weak self] run in
            guard let self else { return false }
            return mayBegin(run)
        } _: { [weak self] run, result in
            self?.ended(run, result)
        }
    }

    private func mayBegin(_ run: Run) -> Bool { run.isWanted && isOpen(for: run.delivery.received.scene) }

    private func ended(_ run: Run, _ result: Result<Handling, any Error>?) {
        run.lane?.ended(run)
        runs[run.id] = nil
        tasks[run.id] = nil
        if !run.isSuperseded { settle(run, result) }
        if let lane = run.lane { beginNext(in: lane) }
        rest()
    }

    private func settle(_ run: Run, _ result: Result<Handling, any Error>?) {
        switch result {
        case nil: goOn(run.delivery)
        case .success(.handled): finish(run.delivery, .handled(by: run.text))
        case .success(.openInBrowser): fallBack(run.delivery)
        case .success(.notHandled):
            run.delivery.decline(run.place)
            goOn(run.delivery)
        // It was told to stop because its module is gone, and errors of many kinds come from that.
        case .failure where !run.isWanted: goOn(run.delivery)
        case .failure(let error):
            failureBroadcast.send(
                DeliveryFailure(source: .route(run.text), received: run.delivery.received, error: error))
            finish(run.delivery, .failed(at: run.text))
        }
    }

    /// Begins what has waited for its turn, unless a gate has closed in the meantime.
    private func beginNext(in lane: Lane) {
        while !lane.isBusy, let next = lane.next() {
            if mayBegin(next) { begin(next) } else { goOn(next.delivery) }
        }
    }

    private func fallBack(_ delivery: Delivery) {
        guard let openInBrowser, delivery.received.activity.isOfWebLink else {
            return finish(delivery, .unhandled)
        }
        let id = newID()
        let activity = delivery.received.activity
        tasks[id] = Task { [weak self] in
            await openInBrowser(activity)
            self?.tasks[id] = nil
            self?.finish(delivery, .openedInBrowser)
            self?.tellWhetherRunning()
        }
    }

    func finish(_ delivery: Delivery, _ outcome: DeliveryResult.Outcome) {
        resultBroadcast.send(DeliveryResult(received: delivery.received, outcome: outcome))
    }

    // Telling

    private func tellWhetherRunning() {
        if isRunning == tasks.isEmpty {
            isRunning = !tasks.isEmpty
            runningBroadcast.send(isRunning)
        }
        guard isIdle else { return }
        let waiters = idleWaiters
        idleWaiters = []
        for waiter in waiters { waiter.resume() }
    }

    private var isIdle: Bool { tasks.isEmpty && !willAdvance }

    /// Waits until no handler is at work: for tests, and never from a handler, which would wait for itself. Activities may
    /// still wait for a gate.
    public func idle() async {
        guard !isIdle else { return }
        await withCheckedContinuation { idleWaiters.append($0) }
    }

    // Expiry

    /// Sees to it that the first activity that waits is given up in time.
    private func watchExpiry() {
        let end = pending.firstEnd
        guard end != expiry?.end else { return }
        expiry?.task.cancel()
        expiry = end.map { end in
            let task = Task { [weak self, timekeeper] in
                guard (try? await timekeeper.sleep(end)) != nil, !Task.isCancelled else { return }
                self?.expiry = nil
                self?.advance()
            }
            return (end, task)
        }
    }
}
