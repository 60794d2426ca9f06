/// The credentials of a bucket's user.
///
/// No description or reflection of the credentials contains them.
public struct S3Credentials: Sendable {
    let accessKeyID: String
    let secretAccessKey: String
    let sessionToken: String?

    /// Creates credentials.
    ///
    /// - Parameters:
    ///   - accessKeyID: The access key identifier, such as `AKIAIOSFODNN7EXAMPLE`.
    ///   - secretAccessKey: The secret access key.
    ///   - sessionToken: The token of temporary credentials; nil for permanent ones.
    /// - Throws: ``S3ConfigurationError/invalidCredentials`` for an empty text, a text with other characters than visible ASCII, or one that
    ///   is longer than 8 KiB.
    public init(
        accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil
    ) throws(S3ConfigurationError) {
        for text in [accessKeyID, secretAccessKey, sessionToken ?? "-"] {
            guard (1...8_192).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw .invalidCredentials
            }
        }
        // The scope of a signature follows the identifier after a slash, and a header's parts are separated by commas.
        guard !accessKeyID.contains(where: { $0 == "/" || $0 == "," }) else { throw .invalidCredentials }
        self.accessKeyID = accessKeyID
        self.secretAccessKey = secretAccessKey
        self.sessionToken = sessionToken
    }

    /// Returns whether a text contains one of the credentials.
    func occur(in text: String) -> Bool {
        [accessKeyID, secretAccessKey, sessionToken].contains { $0.map { text.contains($0) } ?? false }
    }
}

extension S3Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A text without the credentials.
    public var description: String { "S3 credentials\(sessionToken == nil ? "" : " with a session token")" }

    /// The same text as ``description``.
    public var debugDescription: String { description }

    /// No members.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
