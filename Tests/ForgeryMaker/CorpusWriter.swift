import Foundation
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport

/// Writes cases and their list into a folder.
struct CorpusWriter {
    /// `Tests/Forgeries`, or another folder to look at.
    let folder: URL
    private var cases: [ForgeryManifest.Case] = []

    /// Folders of files that are all made, so that none of an earlier run stays.
    private static let made = ["roots", "receipts", "transaction-receipts", "jws", "ocsp"]

    /// Empties what was made before.
    init(folder: URL) throws {
        self.folder = folder
        for name in Self.made {
            let part = folder.appending(path: name)
            if FileManager.default.fileExists(atPath: part.path) { try FileManager.default.removeItem(at: part) }
            try FileManager.default.createDirectory(at: part, withIntermediateDirectories: true)
        }
    }

    /// Writes one case.
    mutating func write(_ forgery: Forgery) throws {
        let (kind, payload, file, bytes): (ForgeryManifest.Kind, String?, String, [UInt8]) =
            switch forgery.content {
            case .receipt(let bytes): (.receipt, nil, "receipts/\(forgery.name).\(Self.isBER(bytes) ? "ber" : "der")", bytes)
            case .transactionReceipt(let bytes): (.transactionReceipt, nil, "transaction-receipts/\(forgery.name).plist", bytes)
            case .jws(let text, let kind): (.jws, kind.rawValue, "jws/\(forgery.name).jws", Array(text.utf8))
            }
        try write(bytes, to: file)
        for (file, bytes) in forgery.furtherFiles { try write(bytes, to: file) }
        let (result, reason, place): (ForgeryManifest.Result, String?, String?) =
            switch forgery.expected {
            case .verified: (.verified, nil, nil)
            case .refused(let reason, let place): (.refused, reason.code, place)
            case .indeterminate(let reason, let place): (.indeterminate, reason.code, place)
            }
        cases.append(
            ForgeryManifest.Case(
                id: "\(kind.rawValue)-\(forgery.name)", kind: kind, payload: payload, file: file, what: forgery.what, why: forgery.why,
                verify: forgery.verify, result: result, reason: reason, place: place
            )
        )
    }

    /// Writes the certificates and the list.
    func finish(_ factory: ForgeryFactory) throws {
        var roots: [String: ForgeryManifest.Root] = [:]
        func add(_ name: String, _ environments: [String], _ what: String, _ certificate: [UInt8]?) throws {
            let file = "roots/\(name).pem"
            try write(Array(factory.pem(certificate ?? []).utf8), to: file)
            roots[name] = ForgeryManifest.Root(file: file, environments: environments, what: what)
        }
        func add(_ name: String, _ environments: [String], _ what: String, pem: String) throws {
            let file = "roots/\(name).pem"
            try write(Array(pem.utf8), to: file)
            roots[name] = ForgeryManifest.Root(file: file, environments: environments, what: what)
        }
        let sandbox = ["Sandbox"]
        try add(RootName.receipts, sandbox, "The store's root for receipts.", factory.receiptChain(factory.store).last)
        try add(RootName.signedData, sandbox, "The store's root for JWS.", factory.signedDataChain(factory.store).last)
        try add(
            RootName.expiredReceipts, sandbox, "An expired root of a store for receipts.", factory.receiptChain(factory.expired).last)
        try add(
            RootName.expiredSignedData, sandbox, "An expired root of a store for JWS.", factory.signedDataChain(factory.expired).last)
        try add(
            RootName.xcodeReceipts, ["Xcode"], "A certificate for receipts of StoreKit testing, generated for the corpus.",
            pem: factory.xcode.receiptCertificatePEM
        )
        try add(
            RootName.xcodeSignedData, ["Xcode"], "A certificate for JWS of StoreKit testing, generated for the corpus.",
            pem: factory.xcode.signedDataCertificatePEM
        )
        let never =
            "A foreign root that no case trusts. Its forgeries must be valid under this root, so that the root is their only defect."
        try add(RootName.strangersReceipts, [], never, factory.receiptChain(factory.stranger).last)
        try add(RootName.strangersSignedData, [], never, factory.signedDataChain(factory.stranger).last)

        let manifest = ForgeryManifest(made: ForgeryFactory.now.description, roots: roots, cases: cases)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try write(Array(encoder.encode(manifest)) + [0x0A], to: "manifest.json")
    }

    private func write(_ bytes: [UInt8], to file: String) throws {
        try Data(bytes).write(to: folder.appending(path: file))
    }

    /// Whether a container has indefinite lengths outside, as only BER has.
    private static func isBER(_ bytes: [UInt8]) -> Bool {
        bytes.count > 1 && bytes[1] == 0x80
    }
}
