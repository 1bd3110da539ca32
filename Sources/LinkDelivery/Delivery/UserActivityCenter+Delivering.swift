extension UserActivityCenter {
    /// Delivers what can be delivered at the end of this turn of the main actor, so that all modules that are added in the
    /// same turn are asked.
    func advanceSoon() {
        guard !willAdvance else { return }
        willAdvance = true
        Task { [weak self] in self?.advanceNow() }
    }

    private func advanceNow() {
        willAdvance = false
        let deferred = deferred.sorted { $0.received.number < $1.received.number }
        self.deferred = []
        removeEnded()
        for delivery in pending.take(where: isReady) + deferred { reroute(delivery) }
        finishTurn()
    }

    /// Delivers what can be delivered: called when a gate opens, or something ends.
    func advance() {
        removeEnded()
        for delivery in pending.take(where: isReady) { offer(delivery) }
        finishTurn()
    }

    /// Delivers a new activity if it can be delivered; otherwise it waits. Nothing has changed for the others.
    func advance(with newest: Delivery) {
        removeEnded()
        reroute(newest)
        finishTurn()
    }

    /// Passes on an activity that no handler has: to the next handler, or to those that wait.
    func reroute(_ delivery: Delivery) {
        if willAdvance {
            deferred.append(delivery)
        } else if isReady(for: delivery) {
            offer(delivery)
        } else {
            pending.add(delivery)
        }
    }

    /// Drops what exceeds the policy, and updates timer and state after a change.
    private func finishTurn() {
        for dropped in pending.trim() { finish(dropped, .dropped) }
        scheduleExpiry()
        publishRunningState()
    }

    private func removeEnded() {
        for expired in pending.expire(deadlines.now()) { finish(expired, .expired) }
        for module in modules where !module.isActive { remove(module) }
    }

    /// Whether the gates are open and a module can be asked.
    private func isReady(for delivery: Delivery) -> Bool {
        let received = delivery.received
        return !willAdvance && isOpen(for: received.scene)
            && modules.contains { $0.isActive && received.isFor($0.scene) }
    }

    /// Hands an activity to the first route that matches and has not declined it.
    private func offer(_ delivery: Delivery) {
        let request = RouteRequest(delivery.received)
        for module in modules where module.isActive && delivery.received.isFor(module.scene) {
            for (index, route) in module.table.routes.enumerated() {
                guard !delivery.hasDeclined(RouteID(module: module.id, route: index)),
                    case .taken(_, let action) = route.attempt(request)
                else { continue }
                return admit(HandlerTask(newID(), delivery, module, index, action), route.policy)
            }
        }
        fallBack(delivery)
    }

    private func admit(_ handler: HandlerTask, _ policy: ExecutionPolicy) {
        switch policy {
        case .sideBySide: begin(handler)
        case .oneAfterAnother:
            if let queue = handler.queue, queue.isBusy { queue.wait(handler) } else { begin(handler) }
        case .newestWins:
            // More than once only if cancelling a handler hands in a newer activity.
            while let newest = handler.queue?.newest {
                // It may have been with another route first.
                guard newest.number < handler.number else {
                    return finish(handler.delivery, .superseded(by: newest.number))
                }
                newest.supersede()
                finish(newest.delivery, .superseded(by: handler.number))
            }
            begin(handler)
        }
    }

    private func begin(_ handler: HandlerTask) {
        handler.queue?.began(handler)
        handlerTasks[handler.id] = handler
        tasks[handler.id] = handler.begin { [weak self] handler in
            guard let self else { return false }
            return mayBegin(handler)
        } _: { [weak self] handler, result in
            self?.ended(handler, result)
        }
    }

    private func mayBegin(_ handler: HandlerTask) -> Bool {
        handler.isWanted && isOpen(for: handler.delivery.received.scene)
    }

    private func ended(_ handler: HandlerTask, _ result: Result<Handling, any Error>?) {
        handler.queue?.ended(handler)
        handlerTasks[handler.id] = nil
        tasks[handler.id] = nil
        if !handler.isSuperseded { complete(handler, result) }
        if let queue = handler.queue { beginNext(in: queue) }
        finishTurn()
    }

    private func complete(_ handler: HandlerTask, _ result: Result<Handling, any Error>?) {
        switch result {
        case nil: reroute(handler.delivery)
        case .success(.handled): finish(handler.delivery, .handled(by: handler.text))
        case .success(.openInBrowser): fallBack(handler.delivery)
        case .success(.notHandled):
            handler.delivery.decline(handler.route)
            reroute(handler.delivery)
        // It was cancelled because its module is gone; any error may come from that.
        case .failure where !handler.isWanted: reroute(handler.delivery)
        case .failure(let error):
            failureBroadcast.send(
                DeliveryFailure(source: .route(handler.text), received: handler.delivery.received, error: error))
            finish(handler.delivery, .failed(at: handler.text))
        }
    }

    /// Starts what has waited for its turn, unless a gate has closed in the meantime.
    private func beginNext(in queue: DeliveryQueue) {
        while !queue.isBusy, let next = queue.next() {
            if mayBegin(next) { begin(next) } else { reroute(next.delivery) }
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
            self?.publishRunningState()
        }
    }

    func finish(_ delivery: Delivery, _ outcome: DeliveryResult.Outcome) {
        resultBroadcast.send(DeliveryResult(received: delivery.received, outcome: outcome))
    }

    private func publishRunningState() {
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

    /// Waits until no handler is running. For tests; a handler that calls it would wait for itself. Activities may still
    /// wait for a gate.
    public func idle() async {
        guard !isIdle else { return }
        await withCheckedContinuation { idleWaiters.append($0) }
    }

    /// Schedules the expiry of the first activity that waits.
    private func scheduleExpiry() {
        let end = pending.firstEnd
        guard end != expiry?.end else { return }
        expiry?.task.cancel()
        expiry = end.map { end in
            let task = Task { [weak self, deadlines] in
                guard (try? await deadlines.sleep(end)) != nil, !Task.isCancelled else { return }
                self?.expiry = nil
                self?.advance()
            }
            return (end, task)
        }
    }
}
