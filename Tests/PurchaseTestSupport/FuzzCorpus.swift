import Foundation
import PurchaseModel
package import PurchaseProof

/// The inputs that are kept in `Fuzz/Corpus`: genuine ones, and those that fuzzing found worth keeping.
public enum FuzzCorpus {
    private static let folder = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fuzz/Corpus")

    /// One input.
    public struct Input: CustomStringConvertible, Sendable {
        /// The file's name.
        public let name: String
        /// What it holds.
        public let bytes: [UInt8]
        /// Whether it was signed and left as it was.
        public var isGenuine: Bool { !name.hasPrefix("found-") }

        /// How it is named in the results of tests.
        public var description: String { name }
    }

    /// The inputs of one target.
    public static func inputs(_ target: String) throws -> [Input] {
        try FileManager.default.contentsOfDirectory(at: folder.appending(path: target), includingPropertiesForKeys: nil)
            .map { Input(name: $0.lastPathComponent, bytes: Array(try Data(contentsOf: $0))) }
            .sorted { $0.name < $1.name }
    }

    /// The roots that vouch for the genuine ones.
    package static var roots: TrustedRoots {
        get throws {
            func pem(_ name: String) throws -> String { try String(contentsOf: folder.appending(path: name), encoding: .utf8) }
            return try .apple(and: pem("roots.pem"), in: [.sandbox]).trusting(pem("xcode-roots.pem"), in: [.xcode])
        }
    }
}
