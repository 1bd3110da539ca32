import FuzzingSupport
import PushSamples

/// Files of every kind, from which the fuzzer starts. They are the same in each run: keys follow from their numbers, and
/// signatures, which nobody checks, are made up.
struct CertificateSeeds {
    static let password = "test-password"

    /// Certificates, in DER.
    let certificates: [[UInt8]]
    /// All other forms but PKCS #12: PEM, keys, requests, text.
    let texts: [[UInt8]]
    let containers: [SamplePKCS12]

    init() throws {
        let samples = Self.samples
        certificates = try samples.map { try $0.der() }
        texts = try Self.texts(of: samples)
        containers = try Self.containers(of: samples)
    }

    private static var samples: [SampleCertificate] {
        let leaves = SampleProfile.allCases.enumerated().map { number, profile in
            profile.certificate(key: .p256(number % 3 + 1)).with {
                $0.serial = [0x20, UInt8(number)]
                $0.notAfter = SampleTime.days([-5, -1, 0, 7, 20, 30, 395][number % 7])
            }
        }
        let universal = leaves[0]
        let special = [
            // Of the genuine G4, so that its key is tried.
            universal.with { certificate in
                certificate.extensions.removeAll { $0.oid == SampleExtension.authorityKeyIdentifier.oid }
                certificate.extensions.append(.authorityKeyIdentifier(generationFour))
            },
            universal.with { $0.issuerName = appleIssuer },
            universal.with { $0.digest = "SHA1" },
            universal.with { $0.publicKeyInfo = weakKey },
            universal.with { $0.issuer = nil },
            universal.with { $0.subject = [] },
            universal.with { $0.subject.attributes.removeFirst() },
            universal.with { $0.notAfterEncoding = .generalizedTime },
            universal.with { $0.notAfter = 253_402_300_799 },
            universal.with {
                $0.extensions.append(.topics([("a,b|c\n\"", ["\u{1B}[0m", ""]), ("", [])], arc: "6.3.4"))
            },
            universal.with { certificate in
                certificate.subject = [
                    .commonName("Größe 推 \u{202E}\n|\"\\", as: .bmp), .organizationalUnit("é", as: .teletex),
                    .userID("x\u{0}y", as: .universal), .email("a@b.example"),
                ]
            },
        ]
        let authorities = [SampleAuthority.root, .g3, .g4].map(\.certificate)
        return (leaves + special + authorities).enumerated().map { number, certificate in
            certificate.with { $0.signature = signature(number) }
        }
    }

    private static let generationFour: [UInt8] = [
        0x5B, 0xD9, 0xFA, 0x1D, 0xE7, 0x9A, 0x1A, 0x0B, 0xA3, 0x99, 0x76, 0x22, 0x50, 0x86, 0x3E, 0x91, 0xC8, 0x5B,
        0x77, 0xA8,
    ]

    /// G4's name.
    private static let appleIssuer: SampleName = [
        .commonName("Apple Worldwide Developer Relations Certification Authority"), .organizationalUnit("G4"),
        .organization("Apple Inc."), .country("US"),
    ]

    /// RSA with 1024 bits.
    private static let weakKey = DER.sequence(
        DER.sequence(DER.oid("1.2.840.113549.1.1.1"), DER.null),
        DER.bits(
            DER.sequence(
                DER.integer(magnitude: [UInt8](repeating: 0xC5, count: 128)), DER.integer(65_537))))

    private static func signature(_ number: Int) -> [UInt8] {
        var random = SplitMix64(seed: UInt64(number))
        func half() -> [UInt8] { (0..<32).map { _ in UInt8(random.number(1...127)) } }
        return DER.sequence(DER.integer(magnitude: half()), DER.integer(magnitude: half()))
    }

    private static func texts(of samples: [SampleCertificate]) throws -> [[UInt8]] {
        let key = SampleKey.p256(1)
        let pem = try samples.map { try $0.pem() }
        let encryption = SampleEncryption(.aes256, password: .text(password))
        let secrets = [
            try key.pem(), try key.traditionalPEM(), try key.encryptedPEM(encryption),
            try key.encryptedPEM(SampleEncryption(.tripleDES, password: .text(password))),
            try key.encryptedPEM(SampleEncryption(.scrypt, password: .text(password)).with { $0.cost = 2 }),
            try key.traditionalPEM(password: .text(password)),
        ]
        let der = try samples[0].der()
        let trust = DER.sequence(DER.sequence(DER.oid("1.3.6.1.5.5.7.3.2")), DER.utf8("alias"))
        var request = SampleRequest(subject: samples[0].subject)
        request.signature = signature(0)
        let bundles =
            secrets.map { pem[0] + $0 }
            + [
                pem[0] + pem[1] + pem[2], secrets[0] + pem[1] + secrets[2] + pem[0],
                "Bag Attributes\r\n    friendlyName: x\r\n" + pem[3].split(separator: "\n").joined(separator: "\r\n")
                    + "\r\n",
                "\u{FEFF}" + pem[0], SamplePEM.block("TRUSTED CERTIFICATE", der + trust),
                SamplePEM.block("X509 CERTIFICATE", der), SamplePEM.block("X509 CRL", DER.sequence()) + pem[4],
                SamplePEM.lines(der).joined(separator: "\n"), SamplePEM.base64(der),
                SamplePEM.lines(try SamplePKCS12.export(samples[0]).der()).joined(separator: "\n"),
                "<!DOCTYPE html><html><head><title>Sign in</title></head></html>\n", "", "\u{0}", "PK\u{3}\u{4}",
            ]
        let keys = [try key.pkcs8(), try key.encryptedPKCS8(encryption), try key.traditional()]
        return (pem + secrets + bundles).map { Array($0.utf8) } + keys + [Array(try request.pem().utf8)]
            + [[0x30, 0x84, 0x7F, 0xFF, 0xFF, 0xFF, 0x02, 0x01, 0x03]]
    }

    private static func containers(of samples: [SampleCertificate]) throws -> [SamplePKCS12] {
        let password = SamplePassword.text(password)
        let chain = [SampleAuthority.g4.certificate, SampleAuthority.root.certificate].map { certificate in
            certificate.with { $0.signature = signature(0) }
        }
        var containers: [SamplePKCS12] = []
        for form in SamplePKCS12.Form.allCases {
            for certificate in [samples[0], samples[11]] {
                containers.append(try .export(certificate, password: password, as: form))
            }
            containers.append(try .export(samples[0], chain: chain, key: .p256(9), password: "", as: form))
            containers.append(try .export(samples[1], password: password, as: form).with { $0.mac = nil })
        }
        let leaf = SampleBag.certificate(try samples[0].der()).named("a\n\u{1B}|", localKeyID: [1])
        let key = try samples[0].key.pkcs8()
        for scheme in SampleEncryption.Scheme.allCases {
            let encryption = SampleEncryption(scheme, password: password, iterations: 2).with { $0.cost = 2 }
            containers.append(
                SamplePKCS12(
                    [
                        .encrypted([leaf, .nested([.nested([leaf]), .crl(DER.sequence())])], encryption),
                        .plain([.shroudedKey(key, encryption).named("key", localKeyID: [1]), .secret([1]), .key(key)]),
                    ], mac: SampleMAC(password: password)))
        }
        let other = containers[8]
        containers += ["MD5", "SHA256", "SHA512"].map { digest in other.with { $0.mac?.digest = digest } }
        containers.append(other.with { $0.mac?.isPBMAC1 = true })
        containers.append(other.with { $0.mac?.statedIterations = [0x4C, 0x4B, 0x41] })
        return containers
    }
}
