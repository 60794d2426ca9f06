import Foundation
public import PurchaseModel

/// How the URL of a request names the bucket.
///
/// Source: [Virtual hosting of buckets](https://docs.aws.amazon.com/AmazonS3/latest/userguide/VirtualHosting.html).
public enum S3Addressing: Hashable, Sendable {
    /// In the host: `https://bucket.s3.eu-central-1.amazonaws.com/key`. Amazon's recommendation.
    case virtualHosted
    /// In the path: `http://127.0.0.1:9000/bucket/key`. Most servers of other makers accept it.
    case path
}

/// Whether the signature of a request covers the bytes of an upload.
public enum S3PayloadSigning: Hashable, Sendable {
    /// The signature covers the SHA-256 of the bytes, so the bucket refuses damaged uploads. The file is read twice.
    case hashed
    /// The signature does not cover the bytes (`UNSIGNED-PAYLOAD`). Use it with `https` only.
    case unsigned
}

/// The settings of a storage in a bucket.
public struct S3Configuration: Sendable {
    /// The URL of the server, without the bucket.
    public let endpoint: HTTPURL
    /// The region of the bucket, such as `eu-central-1`; other makers' servers accept `us-east-1` or `auto`.
    public let region: String
    /// The name of the bucket.
    public let bucket: String
    /// How the URL of a request names the bucket.
    public let addressing: S3Addressing
    /// Whether signatures cover the bytes of uploads.
    public var payloadSigning = S3PayloadSigning.hashed
    /// The preferred length of an upload's parts in bytes; see ``UploadPlan``.
    ///
    /// A file that is not longer is stored with one request.
    public var partLength: Int64 = 16 << 20
    /// The maximum number of parts that a call sends in parallel; a value below 1 counts as 1.
    public var maximumConcurrentParts = 3
    /// The time limit of an attempt, at most a day, without the time for the bytes of a part.
    public var timeout: Duration = .seconds(30)
    /// The lowest rate in bytes per second at which a part may be sent, which extends the time limit of the attempt.
    public var minimumUploadRate: Int64 = 64 << 10
    /// The number and the pace of the attempts of a request.
    public var retries = S3RetryPolicy()

    let credentials: S3Credentials
    /// The address of the bucket: the scheme and the host with its port, and the beginning of each path.
    let address: S3Address

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - bucket: The name of the bucket: 3 to 63 lower-case letters, digits, dots and hyphens.
    ///   - region: The region of the bucket.
    ///   - credentials: The credentials of a user that may read and write objects, list the bucket, and list and abort multipart uploads.
    ///   - endpoint: The URL of the server; nil for Amazon's server in the region.
    ///   - addressing: How the URL of a request names the bucket.
    /// - Throws: ``S3ConfigurationError``.
    public init(
        bucket: String, region: String, credentials: S3Credentials, endpoint: HTTPURL? = nil, addressing: S3Addressing = .virtualHosted
    ) throws(S3ConfigurationError) {
        guard Self.isRegion(region) else { throw .invalidRegion }
        guard Self.isBucketName(bucket) else { throw .invalidBucketName }
        guard let endpoint = endpoint ?? HTTPURL("https://s3.\(region).amazonaws.com") else { throw .invalidRegion }
        self.endpoint = endpoint
        self.region = region
        self.bucket = bucket
        self.addressing = addressing
        self.credentials = credentials
        address = try S3Address(bucket, at: endpoint, addressing)
    }

    private static func isRegion(_ region: String) -> Bool {
        (1...64).contains(region.utf8.count) && region.utf8.allSatisfy { isLowercaseOrDigit($0) || $0 == UInt8(ascii: "-") }
    }

    /// Returns whether a text follows the [bucket naming rules][rules].
    ///
    /// [rules]: https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html
    private static func isBucketName(_ name: String) -> Bool {
        guard (3...63).contains(name.utf8.count),
            name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy({ label in
                !label.isEmpty && label.first != "-" && label.last != "-"
            })
        else { return false }
        return name.utf8.allSatisfy { isLowercaseOrDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
            && !name.allSatisfy { $0.isNumber || $0 == "." }
    }

    private static func isLowercaseOrDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}

extension S3Configuration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The bucket, the region and the server, without the credentials.
    public var description: String { "bucket \(bucket) in \(region) at \(endpoint)" }

    /// The same text as ``description``.
    public var debugDescription: String { description }

    /// The settings without the credentials.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "endpoint": endpoint, "region": region, "bucket": bucket, "addressing": addressing, "payloadSigning": payloadSigning,
                "partLength": partLength, "maximumConcurrentParts": maximumConcurrentParts, "timeout": timeout,
                "minimumUploadRate": minimumUploadRate, "retries": retries,
            ])
    }
}

/// The reason why a configuration is invalid.
public enum S3ConfigurationError: Error, Hashable, Sendable {
    /// A part of the credentials is empty, too long, or contains an invalid character.
    case invalidCredentials
    /// The region is not 1 to 64 lower-case letters, digits and hyphens.
    case invalidRegion
    /// The bucket's name violates the naming rules of S3.
    case invalidBucketName
    /// The endpoint has a path or a query.
    case endpointWithPath
    /// The host of the endpoint is an IP address, so the bucket can't be part of the host. Use ``S3Addressing/path``.
    case addressWithVirtualHost
    /// The bucket's name contains a dot, so the server's certificate is not valid for the host. Use ``S3Addressing/path``.
    case dottedBucketWithVirtualHost
}

extension S3ConfigurationError: CustomStringConvertible {
    /// The reason, and the correction.
    public var description: String {
        switch self {
        case .invalidCredentials: "The credentials are invalid. Pass the access key, the secret and the session token without blanks."
        case .invalidRegion: "The region is invalid. Pass a name such as eu-central-1."
        case .invalidBucketName: "The bucket's name is invalid. Pass 3 to 63 lower-case letters, digits, dots and hyphens."
        case .endpointWithPath: "The endpoint has a path or a query. Pass a URL such as https://s3.eu-central-1.amazonaws.com."
        case .addressWithVirtualHost: "The endpoint is an IP address. Use path-style addressing."
        case .dottedBucketWithVirtualHost: "The bucket's name contains a dot. Use path-style addressing."
        }
    }
}
