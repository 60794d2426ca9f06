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
    func finish(_ workshop: Workshop) throws {
        var roots: [String: ForgeryManifest.Root] = [:]
        func add(_ name: String, _ environments: [String], _ what: String, _ certificate: [UInt8]?) throws {
            let file = "roots/\(name).pem"
            try write(Array(workshop.pem(certificate ?? []).utf8), to: file)
            roots[name] = ForgeryManifest.Root(file: file, environments: environments, what: what)
        }
        func add(_ name: String, _ environments: [String], _ what: String, pem: String) throws {
            let file = "roots/\(name).pem"
            try write(Array(pem.utf8), to: file)
            roots[name] = ForgeryManifest.Root(file: file, environments: environments, what: what)
        }
        let sandbox = ["Sandbox"]
        try add(RootName.receipts, sandbox, "The store's root for receipts.", workshop.receiptChain(workshop.store).last)
        try add(RootName.signedData, sandbox, "The store's root for JWS.", workshop.signedDataChain(workshop.store).last)
        try add(
            RootName.expiredReceipts, sandbox, "A store's root for receipts that expired.", workshop.receiptChain(workshop.expired).last)
        try add(
            RootName.expiredSignedData, sandbox, "A store's root for JWS that expired.", workshop.signedDataChain(workshop.expired).last)
        try add(
            RootName.xcodeReceipts, ["Xcode"], "What signs receipts in StoreKit testing; made here, not Xcode's own.",
            pem: workshop.xcode.receiptCertificatePEM
        )
        try add(
            RootName.xcodeSignedData, ["Xcode"], "What signs JWS in StoreKit testing; made here, not Xcode's own.",
            pem: workshop.xcode.signedDataCertificatePEM
        )
        let never = "A stranger's root; no case trusts it. A forgery by this stranger must verify under it, else it proves little."
        try add(RootName.strangersReceipts, [], never, workshop.receiptChain(workshop.stranger).last)
        try add(RootName.strangersSignedData, [], never, workshop.signedDataChain(workshop.stranger).last)

        let manifest = ForgeryManifest(made: Workshop.now.description, roots: roots, cases: cases)
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
