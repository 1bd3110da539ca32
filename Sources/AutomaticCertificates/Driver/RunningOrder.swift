internal import ACME
internal import AssociationServer
internal import HTTPClient
internal import OpenSSL

/// An order, from the moment at which the plan wants it until its certificate is presented or it has failed. On the
/// queue of the driver only.
final class RunningOrder: @unchecked Sendable {
    let task: OrderTask
    /// Where it is made, also when the settings change meanwhile.
    let authority: Authority
    let client: AuthorityClient
    let keyType: ACMEConfiguration.KeyType
    /// Whether there is a certificate of ACME for the domain already.
    let isRenewal: Bool
    /// Nil before it has begun.
    var machine: OrderMachine?
    /// What the machine wants done, as long as something has to be stored before.
    var pending: ArraySlice<OrderMachine.Action> = []
    var isHeld = false
    /// Whether it is held before its order is made.
    var isAboutToOrder = false
    /// Whether the order is about to be sent, so that it has been counted.
    var isRecorded = false
    /// What could not be found out before.
    var remark: String?
    /// What can be cancelled.
    var underWay: Cancellation?
    var published: PendingChallenge?
    /// What is to be installed, or was.
    var issued: IssuedCertificate?
    var storageFailures = 0
    var storageError: RecordedError?
    private(set) var hasEnded = false

    init(
        _ task: OrderTask, authority: Authority, client: AuthorityClient, keyType: ACMEConfiguration.KeyType,
        isRenewal: Bool
    ) {
        (self.task, self.authority, self.client) = (task, authority, client)
        (self.keyType, self.isRenewal) = (keyType, isRenewal)
    }

    var domain: Domain { task.domain }

    /// Whether its certificate is on disk, and nothing is missing but that the server reads it.
    var isInstalled: Bool { issued != nil && storageError == nil }

    /// Whether it will count for the limit of orders, and has not yet.
    var isUnrecorded: Bool { !isRecorded && task.replaces == nil && task.resumes == nil && issued == nil }

    func end() {
        hasEnded = true
        machine = nil
        pending = []
        underWay?.cancel()
        underWay = nil
    }
}
