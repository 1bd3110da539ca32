internal import OpenSSL

/// The budget of what is computed for a file, in the nanoseconds of `WorkCost`.
///
/// One file has one budget, however often it is read: again with a password, for instance.
public final class ReadingBudget {
    /// The limit of everything that is computed.
    private let limit: UInt64
    private var spent: UInt64 = 0
    private var keys = 0
    private var certificates = 0

    public convenience init() { self.init(work: FileLimits.work) }

    /// A budget with a limit of its own for all that is computed, in nanoseconds.
    package init(work limit: UInt64) { self.limit = limit }

    /// - Parameter work: What comes next; nothing is spent.
    /// - Throws: `ReadingError.tooMuchWork` if it does not fit.
    func require(_ work: UInt64) throws(ReadingError) {
        let (sum, overflows) = spent.addingReportingOverflow(work)
        guard !overflows, sum <= limit else { throw .tooMuchWork(overflows ? .max : sum) }
    }

    func spend(_ work: UInt64) throws(ReadingError) {
        try require(work)
        spent += work
    }

    /// - Parameter work: What it takes to make the key from its encoding.
    func addKey(_ work: UInt64) throws(ReadingError) {
        keys += 1
        guard keys <= FileLimits.keys else { throw .tooManyKeys }
        try spend(work)
    }

    func addCertificate() throws(ReadingError) {
        certificates += 1
        guard certificates <= FileLimits.certificates else { throw .tooManyCertificates }
        try spend(WorkCost.certificate)
    }
}

/// The limits of work for a file that an attacker may have made (push-certificates.md, section 5).
enum FileLimits {
    /// The most iterations of one derivation of a key.
    static let iterations: UInt64 = 5_000_000
    /// The most memory for scrypt, in bytes.
    static let memory: UInt64 = 1 << 30
    /// The longest key of a PBMAC1, in bytes (RFC 9579, section 5).
    static let macKeyLength: UInt64 = 64
    /// No key is longer, in bytes: what says so is damaged.
    static let keyLength: UInt64 = 1024
    /// The cost in nanoseconds above which a file that is against a standard is hostile rather than damaged.
    static let oddWork: UInt64 = 1_000_000_000
    /// The limit of everything that is computed for a file, as `WorkCost` estimates it. With what reading itself takes,
    /// no file costs ten seconds.
    static let work: UInt64 = 7_000_000_000
    /// The most private keys in a file.
    static let keys = 1000
    /// The most certificates in a file.
    static let certificates = 2000
}

/// Estimates what a computation costs, in nanoseconds of a processor of 2024, and rather too high: what a file asks for is
/// known before any of it is done. All sums saturate.
enum WorkCost {
    /// The overhead of each derivation and decryption: algorithms are looked up, contexts made.
    static let overhead: UInt64 = 30_000
    /// To read a certificate and look for its issuer among Apple's: some curves take that long, most keys a tenth.
    static let certificate: UInt64 = 2_500_000
    /// To check a signature with a key that the file has chosen.
    static let signature: UInt64 = 10_000_000
    /// To make a private key: the public one may have to be computed.
    static let key: UInt64 = 3_000_000
    /// The same for DSA, with numbers that the file has chosen.
    static let dsaKey: UInt64 = 30_000_000

    /// To hash one block.
    ///
    /// - Parameter digest: A name or an object identifier.
    static func hash(_ digest: String) -> UInt64 {
        switch digest {
        case "SHA1", "SHA224", "SHA256": 120
        case "1.3.14.3.2.26", "2.16.840.1.101.3.4.2.1", "2.16.840.1.101.3.4.2.4": 120
        case "MD2", "MD5", "1.2.840.113549.2.5": 160
        case "SHA384", "SHA512", "SHA512-224", "SHA512-256": 190
        case "2.16.840.1.101.3.4.2.2", "2.16.840.1.101.3.4.2.3", "2.16.840.1.101.3.4.2.5", "2.16.840.1.101.3.4.2.6": 190
        // SHA-3, and all that is not in use.
        default: 600
        }
    }

    /// HMAC or a hash of so many bytes, which are also copied.
    static func hashing(_ count: Int, _ digest: String) -> UInt64 { product(UInt64(count), hash(digest) / 32 + 2) }

    /// To decrypt so many bytes.
    static func decryption(_ count: Int, _ cipher: String) -> UInt64 {
        // One run of the cipher for each byte, or even for each bit.
        let isSlow = cipher.uppercased().hasSuffix("CFB1") || cipher.uppercased().hasSuffix("CFB8")
        return product(UInt64(count), isSlow ? 3_000 : 40)
    }

    static func sum(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let (sum, overflows) = left.addingReportingOverflow(right)
        return overflows ? .max : sum
    }

    static func product(_ factors: UInt64...) -> UInt64 {
        factors.reduce(1) { left, right in
            let (product, overflows) = left.multipliedReportingOverflow(by: right)
            return overflows ? .max : product
        }
    }
}

extension KeyDerivation {
    /// The cost of one derivation of so many bytes.
    func work(count: Int, in context: LibraryContext) -> UInt64 {
        func blocks(_ digest: String) -> UInt64 {
            guard let size = context.digestSize(digest), size > 0 else { return 1 }
            return UInt64(max(1, (count + size - 1) / size))
        }
        let work: UInt64
        switch function {
        case .pkcs12(let digest):
            let block = WorkCost.sum(
                WorkCost.product(UInt64(iterations), WorkCost.hash(digest)), WorkCost.hashing(salt.count, digest))
            work = WorkCost.product(blocks(digest), block)
        case .pbkdf1(let digest):
            work = WorkCost.sum(
                WorkCost.product(UInt64(iterations), WorkCost.hash(digest)), WorkCost.hashing(salt.count, digest))
        case .pbkdf2(let digest):
            // An HMAC is two hashes, and some copies of their states.
            let block = WorkCost.sum(
                WorkCost.product(UInt64(iterations), 3, WorkCost.hash(digest)), WorkCost.hashing(salt.count, digest))
            work = WorkCost.product(blocks(digest), block)
        case .scrypt(let cost, let blockSize, let parallelization, _):
            // The table is filled and read; before and after it PBKDF2 goes through its blocks.
            let mixing = WorkCost.product(WorkCost.sum(cost, 3), blockSize, parallelization, 600)
            let reading = WorkCost.product(blocks("SHA256"), blockSize, parallelization, 150)
            work = WorkCost.sum(WorkCost.sum(mixing, reading), WorkCost.hashing(salt.count, "SHA256"))
        }
        return WorkCost.sum(work, WorkCost.overhead)
    }
}
