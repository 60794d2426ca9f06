/// The division of a file into the parts of a multipart upload.
///
/// All parts except the last one have the same length. The plan depends on the length and the preferred length of a part only, so that an
/// interrupted upload is continued with the same parts.
///
/// Source: [Multipart upload limits](https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html).
public struct UploadPlan: Hashable, Sendable {
    /// The minimum length of all parts except the last one in bytes: 5 MiB.
    public static let minimumPartLength: Int64 = 5 << 20
    /// The maximum length of a part in bytes: 5 GiB.
    public static let maximumPartLength: Int64 = 5 << 30
    /// The maximum number of parts: 10,000.
    public static let maximumPartCount: Int64 = 10_000
    /// The length of an object with the maximum number of longest parts, in bytes: about 48.8 TiB.
    ///
    /// A bucket can have a lower limit, and then refuses the upload.
    public static let maximumLength = maximumPartLength * maximumPartCount

    /// A part of the file.
    public struct Part: Hashable, Sendable {
        /// The number of the part, from 1 to 10,000.
        public let number: Int
        /// The offsets of the part in the file, in bytes.
        public let range: Range<Int64>

        /// The length of the part in bytes.
        public var length: Int64 { range.upperBound - range.lowerBound }
    }

    /// A part that a bucket has.
    public struct StoredPart: Hashable, Sendable {
        /// The number of the part.
        public let number: Int
        /// The length of the part in bytes.
        public let length: Int64
        /// The entity tag of the part, with which the upload is completed.
        public let entityTag: String

        /// Creates the description of a part in a bucket.
        public init(number: Int, length: Int64, entityTag: String) {
            self.number = number
            self.length = length
            self.entityTag = entityTag
        }
    }

    /// The length of the file in bytes.
    public let length: Int64
    /// The length of all parts except the last one in bytes.
    public let partLength: Int64

    /// Plans the upload of a file.
    ///
    /// - Parameters:
    ///   - length: The length of the file in bytes; a negative number counts as 0.
    ///   - preferredPartLength: The length of a part in bytes, which is raised to ``minimumPartLength``, limited to ``maximumPartLength``,
    ///     and raised to whole mebibytes if the file would have more than ``maximumPartCount`` parts.
    /// - Throws: ``ContentStorageError/tooLarge(length:limit:)`` for a file that is longer than ``maximumLength``.
    public init(length: Int64, preferredPartLength: Int64 = 16 << 20) throws(ContentStorageError) {
        guard length <= Self.maximumLength else { throw .tooLarge(length: length, limit: Self.maximumLength) }
        self.length = max(length, 0)
        let preferred = min(max(preferredPartLength, Self.minimumPartLength), Self.maximumPartLength)
        let needed = Self.quotient(self.length, Self.maximumPartCount)
        partLength = max(preferred, min(Self.quotient(needed, 1 << 20) << 20, Self.maximumPartLength))
    }

    /// Returns a quotient rounded up; both numbers are positive, or the dividend is zero.
    private static func quotient(_ dividend: Int64, _ divisor: Int64) -> Int64 {
        dividend / divisor + (dividend % divisor == 0 ? 0 : 1)
    }

    /// The number of parts: at least 1, even for an empty file.
    public var partCount: Int { Int(max(Self.quotient(length, partLength), 1)) }

    /// Whether one request can store the file, without a multipart upload.
    public var hasSinglePart: Bool { partCount == 1 }

    /// The parts in the order of their numbers.
    public var parts: some RandomAccessCollection<Part> {
        (1...partCount).lazy.map { [self] number in
            let start = Int64(number - 1) * partLength
            return Part(number: number, range: start..<min(start + partLength, length))
        }
    }

    /// Returns the part with a number; nil for a number outside the plan.
    public func part(_ number: Int) -> Part? {
        guard (1...partCount).contains(number) else { return nil }
        return parts[parts.index(parts.startIndex, offsetBy: number - 1)]
    }

    /// Returns the parts of this plan that correspond to the parts in a bucket; nil if the bucket's parts belong to another plan.
    ///
    /// The bucket's parts belong to this plan if their numbers are in the plan and unique, and each of them has the length of its part.
    /// Whether a part has the bytes of this file must be checked with its entity tag.
    public func parts(matching stored: [StoredPart]) -> [(part: Part, stored: StoredPart)]? {
        var numbers: Set<Int> = []
        var matches: [(part: Part, stored: StoredPart)] = []
        for stored in stored {
            guard let part = part(stored.number), part.length == stored.length, numbers.insert(stored.number).inserted else { return nil }
            matches.append((part, stored))
        }
        return matches
    }
}
