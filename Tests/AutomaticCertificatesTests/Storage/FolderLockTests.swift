import ACME
import AutomaticCertificates
import Foundation
import SystemSupport
import TestSupport
import Testing

@Suite(.waiting)
struct FolderLockTests {
    private let folder: TemporaryFolder
    private let issuance: IssuanceFolder

    init() throws {
        folder = try TemporaryFolder()
        issuance = IssuanceFolder("\(folder.path)/certs")
    }

    private var path: String { "\(issuance.path)/acme-account/lock" }

    /// Waits until nobody has the lock: a program that another test starts has every open file until it runs.
    private func isFree() -> Bool { Waiting.until { !issuance.isLocked() } }

    @Test("one has it at a time, until it goes; the file alone means nothing")
    func one() throws {
        var lock = try issuance.lock()
        #expect(lock != nil && issuance.isLocked())
        #expect(try issuance.lock() == nil)
        #expect(FileStatus(at: path)?.permissions == 0o600)
        #expect(FileStatus(at: Path.folder(of: path))?.permissions == 0o700)
        lock = nil
        #expect(isFree() && Path.exists(path))
        lock = try issuance.lock()
        #expect(lock != nil)
    }

    @Test("another process keeps it until it is killed")
    func processes() throws {
        try folder.write("", to: "certs/acme-account/lock")
        let holder = Process()
        holder.executableURL = URL(fileURLWithPath: "/bin/bash")
        holder.arguments = ["-c", "exec 9<>'\(path)'; flock 9; echo ready; exec sleep 60"]
        let output = Pipe()
        holder.standardOutput = output
        try holder.run()
        defer { kill(holder.processIdentifier, SIGKILL) }
        #expect(String(decoding: output.fileHandleForReading.availableData, as: UTF8.self) == "ready\n")
        #expect(issuance.isLocked())
        #expect(try issuance.lock() == nil)
        kill(holder.processIdentifier, SIGKILL)
        holder.waitUntilExit()
        #expect(isFree())
        #expect(try Waiting.until { try issuance.lock() != nil })
    }

    @Test("a process that this one starts does not inherit it")
    func inheritance() throws {
        var lock = try issuance.lock()
        #expect(lock != nil)
        let child = Process()
        child.executableURL = URL(fileURLWithPath: "/bin/sleep")
        child.arguments = ["infinity"]
        try child.run()
        // Whoever runs the tests waits until nobody has their output any more. SIGTERM may be blocked in what a thread starts.
        defer { kill(child.processIdentifier, SIGKILL) }
        lock = nil
        #expect(isFree())
    }

    @Test("those who only ask do not keep others from having it")
    func asking() throws {
        try folder.write("", to: "certs/acme-account/lock")
        let issuance = issuance
        let end = Locked(false)
        let group = DispatchGroup()
        DispatchQueue.global().async(group: group) {
            while !end.withLock({ $0 }) { _ = issuance.isLocked() }
        }
        defer {
            end.withLock { $0 = true }
            group.wait()
        }
        for _ in 0..<200 { #expect(try Waiting.until { try issuance.lock() != nil }) }
    }

    @Test(
        "what root asks for belongs to the service", .enabled(if: getuid() == 0, "needs root"),
        arguments: [true, false])
    func owner(hasAccounts: Bool) throws {
        try folder.write("", to: hasAccounts ? "certs/acme-account/lock" : "certs/x")
        for path in ["certs", "certs/acme-account"] { chown("\(folder.path)/\(path)", 12_345, 12_346) }
        try issuance.requestRenewal(of: IssuanceSamples.domain("shop.example.com"))
        for path in ["acme-account", "acme-account/renew", "acme-account/renew/shop.example.com"] {
            var status = stat()
            #expect(lstat("\(issuance.path)/\(path)", &status) == 0, "\(path)")
            #expect(status.st_uid == 12_345 && status.st_gid == 12_346, "\(path)")
        }
    }

    @Test("requests are files, which anybody can make and who orders removes")
    func requests() throws {
        let domains = ["shop.example.com", "*.example.com"].map(IssuanceSamples.domain)
        for domain in domains { #expect(!issuance.isRenewalRequested(of: domain)) }
        for domain in domains + domains { try issuance.requestRenewal(of: domain) }
        try folder.write("", to: "certs/acme-account/renew/UPPER.example.com")
        try folder.write("", to: "certs/acme-account/renew/.shop.example.com.swp")
        #expect(issuance.renewalRequests() == Set(domains))
        let path = "\(issuance.path)/acme-account/renew"
        #expect(FileStatus(at: "\(path)/_wildcard.example.com")?.permissions == 0o600)
        #expect(FileStatus(at: path)?.permissions == 0o700)
        #expect(Folder.names(in: path, most: 9).count == 4)
        issuance.endRenewalRequest(of: domains[0])
        issuance.endRenewalRequest(of: domains[0])
        #expect(!issuance.isRenewalRequested(of: domains[0]) && issuance.isRenewalRequested(of: domains[1]))
        #expect(issuance.renewalRequests() == [domains[1]])
    }
}
