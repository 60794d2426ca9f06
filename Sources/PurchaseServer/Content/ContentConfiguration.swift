public import ContentStorage
import Foundation
import PurchaseModel

/// The storage of an app's content, and the delivery of the content to customers.
public struct ContentConfiguration: Sendable {
    /// The storage of an app's content.
    public enum Location: Sendable {
        /// A folder; the associated value is the path.
        case folder(String)
        /// An S3-compatible bucket.
        case bucket(S3Configuration)
    }

    /// The storage with the files of products and with published versions.
    public var location: Location
    /// The sender of the content's bytes: the server, nginx or the bucket.
    public var delivery: DownloadDelivery
    /// The maximum number of download tokens for one customer and one purchase in 24 hours.
    public var tokensPerDay: Int

    /// Creates a configuration without validating it; ``PurchaseServerConfiguration/validate()`` checks the values.
    public init(_ location: Location, delivery: DownloadDelivery = .direct, tokensPerDay: Int = 50) {
        self.location = location
        self.delivery = delivery
        self.tokensPerDay = tokensPerDay
    }

    /// Returns a configuration with content in a folder and direct delivery by the server.
    public static func folder(_ path: String) -> ContentConfiguration { ContentConfiguration(.folder(path)) }

    /// Checks that the folder exists, and that the storage supports the delivery.
    ///
    /// - Parameter environment: The environment of the server.
    /// - Throws: ``ConfigurationError`` for the first invalid value.
    func validate(in environment: AppEnvironment) throws(ConfigurationError) {
        switch location {
        case .folder(let path):
            var isDirectory: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue else {
                throw .contentFolder(path: path)
            }
            if case .presigned = delivery { throw .content(key: "content-delivery", .presignedFolder) }
        case .bucket(let bucket):
            // Require HTTPS, because clients send their requests to the bucket's endpoint.
            if case .presigned = delivery, environment == .production, !bucket.endpoint.isSecure {
                throw .addressNotSecure(key: "content-s3.endpoint")
            }
        }
        if case .nginx(let location) = delivery, !Self.isLocation(location) { throw .content(key: "content-nginx-location", .location) }
        guard (1...100_000).contains(tokensPerDay) else { throw .content(key: "content-tokens-per-day", .tokensPerDay) }
    }

    /// Returns whether a text is the path of an nginx location that begins and ends with a slash, and needs no percent-encoding.
    private static func isLocation(_ text: String) -> Bool {
        text.utf8.count <= 200 && text.hasPrefix("/") && text.hasSuffix("/")
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "/-._~".utf8.contains(byte)
            }
    }
}

/// The way in which the bytes of content reach a customer.
public enum DownloadDelivery: Hashable, Sendable {
    /// The server sends the bytes.
    case direct
    /// nginx sends the bytes of a file of `location`, which the server's response names in `X-Accel-Redirect`.
    case nginx(location: String)
    /// The bucket sends the bytes; the server's response redirects the client to a presigned URL.
    case presigned
}

/// The reason why the configuration of the content is invalid.
public enum ContentConfigurationError: Error, Hashable, Sendable {
    /// Neither a folder nor a bucket is configured.
    case missing
    /// A folder and a bucket are configured.
    case both
    /// The bucket's credentials are missing, or the secret is configured twice.
    case secret
    /// A value of the bucket is invalid.
    case bucket(S3ConfigurationError)
    /// Presigned URLs are configured for a folder.
    case presignedFolder
    /// The location of nginx is missing or invalid.
    case location
    /// The number of download tokens is not an integer from 1 to 100,000.
    case tokensPerDay
}

extension ContentConfigurationError: CustomStringConvertible {
    /// The reason for the failure, and the correction.
    public var description: String {
        switch self {
        case .missing: "the storage of the content is missing. Set content-folder, or content-s3.bucket and the keys of the bucket."
        case .both: "a folder and a bucket are configured. Remove content-folder, or all keys that begin with content-s3."
        case .secret:
            "the secret access key is missing or configured twice. Set content-s3.secret-access-key-file or content-s3.secret-access-key."
        case .bucket(let error): "\(error)"
        case .presignedFolder: "only a bucket has presigned URLs. Set direct or nginx, or configure content-s3.bucket."
        case .location:
            "the value is not the path of a location. Set the location of nginx that serves the content, such as /protected/."
        case .tokensPerDay: "the value is not a number of download tokens. Set an integer from 1 to 100000."
        }
    }
}
