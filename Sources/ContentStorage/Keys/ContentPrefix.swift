/// A prefix of the keys of objects, for a listing.
///
/// A prefix is a text and not a folder: `sha256/9` is the prefix of `sha256/9f/9f86d081`. The rules of ``ContentKey`` apply, except that a
/// prefix may be empty and may end with a slash.
public struct ContentPrefix: Hashable, Sendable {
    /// The prefix of all keys.
    public static let all = ContentPrefix()

    /// The text of the prefix; empty for all keys.
    public let text: String

    private init() {
        text = ""
    }

    /// Validates the text of a prefix.
    ///
    /// - Throws: ``ContentKeyError``, which states the violated rule.
    public init(_ text: String) throws(ContentKeyError) {
        try ContentKey.checkCharacters(of: text)
        let components = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for (index, component) in components.enumerated() {
            guard !component.isEmpty || index == components.count - 1 else { throw .emptyComponent }
            try ContentKey.checkComponent(component)
        }
        self.text = text
    }
}

extension ContentPrefix: CustomStringConvertible {
    /// The text of the prefix.
    public var description: String { text }
}
