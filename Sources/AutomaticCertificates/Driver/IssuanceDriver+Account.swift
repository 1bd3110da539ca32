internal import ACME
internal import Diagnostics
internal import Dispatch
internal import Logging
internal import OpenSSL
internal import SystemSupport

// What has to be there before orders: the CA's directory, our key and our account.
extension IssuanceDriver {
    /// Asks for the directory and the account, if somebody needs them and nothing speaks against it.
    func prepareIfNeeded(_ authority: Authority, _ now: Moment) {
        guard case .none = authority.session else { return }
        let isPaused = authority.state.authority.map { $0.pause.end > now.wall } ?? false
        // Orders may have lost the session that they wait for to a change of the settings.
        let isNeeded =
            !authority.waiting.isEmpty
            || statuses.values.contains { status in
                switch status.state {
                case .waiting: true
                // The CA is asked when to renew.
                case .valid: !isPaused && status.nextRenewal != nil
                default: false
                }
            }
        guard isNeeded else { return }
        logBeginning(authority)
        prepare(authority)
    }

    /// That the CA is asked for certificates, which may take a while; its failures have lines of their own.
    private func logBeginning(_ authority: Authority) {
        guard authority.state.authority == nil else { return }
        let waiting = statuses.filter { $0.value.state == .waiting }.keys.sorted()
        guard let first = waiting.first else { return }
        let others = waiting.count > 1 ? " and \(counted(waiting.count - 1, "other site"))" : ""
        logger.info("acme: connecting to '\(authority.directory.host)' to order a certificate for \(first)\(others)")
    }

    private func prepare(_ authority: Authority, directory: Directory? = nil) {
        do throws(IssuanceError) {
            let key = try accountKey(authority)
            let stored = authority.hasLostAccount ? nil : try authority.accountFolder.readAccount()
            _ = try authority.client(environment)
            authority.sessionNumber += 1
            authority.session = .preparing(
                AccountMachine(settings: authority.accountSettings, key: key, stored: stored, directory: directory))
            handle(.start, authority, authority.sessionNumber)
        } catch {
            authority.session = .none
            authority.state.authorityPaused(error, seconds: Self.repairPause, now: environment.wallSeconds())
            accountFailed(error, authority)
        }
    }

    private func accountKey(_ authority: Authority) throws(IssuanceError) -> AccountKey {
        if let key = authority.key { return key }
        let context: LibraryContext
        do throws(OpenSSLError) {
            context = try libraryContext.get()
        } catch {
            throw IssuanceError(.acmeAccount, "the account's key cannot be used: \(error)", scope: .authority)
        }
        let key: AccountKey
        if let stored = try authority.accountFolder.readKey(in: context) {
            key = stored
        } else {
            key = try AccountKey.make(in: context)
            do throws(SystemError) {
                try authority.accountFolder.store(key)
            } catch {
                throw IssuanceError(
                    .storage, "'\(authority.accountFolder.path)' cannot be written: \(error.reason)", scope: .authority)
            }
        }
        authority.key = key
        return key
    }

    /// The CA does not know the account: all orders that are told so wait for the same one.
    func renewAccount(for order: RunningOrder) {
        let authority = order.authority
        authority.waiting.append(order)
        if case .preparing = authority.session { return }
        authority.hasLostAccount = true
        prepare(authority, directory: authority.readyDirectory)
    }

    private func handle(_ event: AccountMachine.Event, _ authority: Authority, _ number: Int) {
        guard !isStopped, number == authority.sessionNumber, case .preparing(var machine) = authority.session else {
            return
        }
        let actions = machine.handle(event, at: environment.now, nonces: &authority.nonces)
        authority.session = .preparing(machine)
        for action in actions { perform(action, authority, number) }
    }

    private func perform(_ action: AccountMachine.Action, _ authority: Authority, _ number: Int) {
        switch action {
        case .send(let request):
            do throws(IssuanceError) {
                _ = try authority.client(environment).send(request) { [self] answer in
                    queue.async { [self] in received(answer, to: request.id, authority, number) }
                }
            } catch {
                perform(.fail(error), authority, number)
            }
        case .wait(let end):
            after(end) { [weak self] in self?.handle(.time, authority, number) }
        case .ready(let directory, let account): ready(directory, account, authority)
        case .fail(let error):
            authority.session = .none
            authority.state.authorityFailed(error, now: environment.wallSeconds(), random: &random)
            accountFailed(error, authority)
        }
    }

    private func received(_ answer: AuthorityClient.Answer, to id: Int, _ authority: Authority, _ number: Int) {
        noteClock(answer, authority)
        switch answer {
        case .success(let response): handle(.response(response, to: id), authority, number)
        case .failure(let failure): handle(.transportFailure(failure, of: id), authority, number)
        }
    }

    private func ready(_ directory: Directory, _ account: Account, _ authority: Authority) {
        authority.session = .ready(directory, account, since: environment.uptime())
        authority.hasLostAccount = false
        do throws(SystemError) {
            try authority.accountFolder.store(account)
        } catch {
            // The key finds the account again.
            logger.error("acme: storage: '\(authority.accountFolder.path)' cannot be written: \(error.reason)")
        }
        let waiting = authority.waiting
        authority.waiting = []
        for order in waiting { handle(.account(account), order) }
        lookSoon()
    }

    /// - Parameter error: is in the state already.
    private func accountFailed(_ error: IssuanceError, _ authority: Authority) {
        count(error.type)
        logSetback(authority)
        let waiting = authority.waiting
        authority.waiting = []
        for order in waiting { handle(.accountFailed(error), order) }
        for (domain, status) in statuses where status.state == .waiting { endRequest(domain, authority) }
        lookSoon()
    }

    /// That the CA has failed for all domains.
    func logSetback(_ authority: Authority) {
        // Several orders can fail from the same cause.
        guard let setback = authority.state.authority, setback != authority.loggedSetback else { return }
        defer { authority.loggedSetback = setback }
        // What is wrong on this machine is looked at every minute, and said once.
        let last = authority.loggedSetback?.error
        if setback.pause.length == Self.repairPause, last?.message == setback.error.message { return }
        log(StatusLine.failed(setback, now: environment.wallSeconds()))
    }

    /// The CA answers what it could not answer before. That it has a directory says little.
    func noteSuccess(_ answer: AuthorityClient.Answer, _ authority: Authority) {
        guard case .success(let response) = answer, response.status < 500, let setback = authority.state.authority,
            setback.pause.end <= environment.wallSeconds()
        else { return }
        authority.state.authoritySucceeded()
    }

    func noteClock(_ answer: AuthorityClient.Answer, _ authority: Authority) {
        guard case .success(let response) = answer,
            let difference = authority.clockCheck.difference(response, at: environment.now)
        else { return }
        let direction = difference > 0 ? "behind" : "ahead of"
        logger.warning(
            "acme: acme-clock: this machine's clock is \(abs(difference)) s \(direction) the CA's; set it, best by NTP")
    }

    /// Calls something at a time of the clock that never goes back.
    func after(_ end: Duration, _ body: @escaping @Sendable () -> Void) {
        queue.asyncAfter(deadline: .now() + max((end - environment.uptime()).timeInterval, 0), execute: body)
    }
}
