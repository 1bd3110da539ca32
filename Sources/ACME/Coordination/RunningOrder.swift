package import DomainNames

/// One order of one domain; another order of the same domain has another number.
package struct OrderID: Hashable, Sendable {
    package let domain: Domain
    package let number: Int

    package init(_ domain: Domain, _ number: Int) { (self.domain, self.number) = (domain, number) }
}

/// An order from the moment at which the plan wants it until its certificate is presented or it has failed.
struct RunningOrder: Sendable {
    /// The state of an order; one that has ended is not there any more.
    indirect enum State: Sendable {
        /// The addresses of the name are asked whether they lead to this server.
        case preflight
        /// The protocol runs.
        case ordering(Conversation)
        /// The next actions wait until `state.json` is saved.
        ///
        /// - Parameters:
        ///   - isNewOrder: whether the order is not made yet, and is not made if saving fails.
        ///   - save: the number of the save that they wait for.
        case waitingToBeSaved(Conversation, ArraySlice<OrderMachine.Action>, isNewOrder: Bool, save: Int)
        /// The certificate is being written, again and again if that fails.
        case installing(OrderedCertificate, InstallationFailure?)
        /// The certificate is written, and the server is notified soon.
        case waitingToBeActivated(OrderedCertificate, folder: String)
        /// The server reads the certificate.
        case activating(OrderedCertificate)
        /// Every loop presents the certificate, if the server could read it.
        case activated(OrderedCertificate)
    }

    /// The conversation with the CA about an order.
    struct Conversation: Sendable {
        var machine: OrderMachine
        /// The end of the pause that the machine wants.
        var wake: Duration?
        /// A clause about what the pre-flight could not find out, or found wrong; mentioned if the order fails.
        let remark: String?
    }

    /// A certificate that could not be written.
    struct InstallationFailure: Sendable {
        /// The number of failures in a row.
        let count: Int
        let error: RecordedError
        /// The time of the next attempt; nil while one runs.
        let retry: Duration?
    }

    let id: OrderID
    let task: OrderTask
    /// The CA that it was made with, also if another one is configured meanwhile.
    let authority: AuthorityID
    /// Whether there is an ordered certificate for the domain already.
    let isRenewal: Bool
    /// Whether a person has asked for it.
    let isRequested: Bool
    var state: State

    var domain: Domain { id.domain }

    /// The time at which the order goes on by itself.
    var deadline: Duration? {
        switch state {
        case .ordering(let conversation): conversation.wake
        case .installing(_, let failure): failure?.retry
        default: nil
        }
    }

    /// The progress of the certificate.
    enum Progress: Int, Comparable {
        /// The CA has not issued it.
        case ordering
        /// It is issued, and could not be written.
        case issued
        /// It is being written: the CA has nothing to do with the order any more.
        case installing
        /// It is where all processes find it, and the server reads it.
        case installed

        static func < (left: Progress, right: Progress) -> Bool { left.rawValue < right.rawValue }
    }

    var progress: Progress {
        switch state {
        case .preflight, .ordering, .waitingToBeSaved: .ordering
        case .installing(_, let failure): failure == nil ? .installing : .issued
        case .waitingToBeActivated, .activating, .activated: .installed
        }
    }

    private var conversation: Conversation? {
        switch state {
        case .ordering(let conversation), .waitingToBeSaved(let conversation, _, _, _): conversation
        default: nil
        }
    }

    /// Whether the order will count for the limit of orders, and has not yet.
    var isUnrecorded: Bool {
        guard task.replaces == nil, task.resumes == nil, progress == .ordering else { return false }
        return !(conversation?.machine.hasRecordedOrder ?? false)
    }

    /// Whether the order goes on when the account was found or made once more.
    var isWaitingForAccount: Bool { conversation?.machine.isWaitingForAccount ?? false }

    /// A clause about anything that the pre-flight could not find out.
    var remark: String? { conversation?.remark }

    /// Why the certificate could not be written.
    var storageError: RecordedError? {
        if case .installing(_, let failure) = state { failure?.error } else { nil }
    }
}

/// The number of orders that have ended since the start, by their results.
package struct OrderCounts: Equatable, Sendable {
    package var issued: UInt64 = 0
    package var renewed: UInt64 = 0
    package var failed: UInt64 = 0

    package init() {}
}
