import ContentStorage
import Foundation
import PurchaseModel

extension ContentConfiguration {
    static let keys = ["content-folder", "content-delivery", "content-nginx-location", tokensKey] + bucketKeys
    /// The keys whose value can be a number.
    static let numbers = [tokensKey]
    static let secrets = ["content-s3.secret-access-key"]

    private static let tokensKey = "content-tokens-per-day"
    private static let bucketKeys = [
        "bucket", "region", "endpoint", "access-key-id", "secret-access-key", "secret-access-key-file", "addressing",
    ].map { "content-s3.\($0)" }

    private enum Delivery: String, CaseIterable {
        case direct
        case nginx
        case presigned
    }

    private enum Addressing: String, CaseIterable {
        case virtualHosted = "virtual-hosted"
        case path
    }

    /// Reads the keys of an app's content.
    ///
    /// | key | type | meaning |
    /// |---|---|---|
    /// | `content-folder` | string | path of the folder with the content; required without a bucket |
    /// | `content-s3.bucket` | string | name of the bucket with the content |
    /// | `content-s3.region` | string | region of the bucket; default `us-east-1` |
    /// | `content-s3.endpoint` | string | URL of the server; default Amazon's in the region |
    /// | `content-s3.access-key-id` | string | access key identifier |
    /// | `content-s3.secret-access-key` | string, secret | secret access key |
    /// | `content-s3.secret-access-key-file` | string | path of a file with the secret access key |
    /// | `content-s3.addressing` | string | place of the bucket's name in URLs: `virtual-hosted` (default) or `path` |
    /// | `content-delivery` | string | sender of the bytes: `direct` (default), `nginx` or `presigned` |
    /// | `content-nginx-location` | string | location of nginx that serves the content, such as `/protected/` |
    /// | `content-tokens-per-day` | number | download tokens for one customer and purchase in 24 hours; default 50 |
    ///
    /// - Throws: ``ConfigurationError`` if a required key is missing, or a value is invalid.
    init(_ app: ConfigurationScope) throws(ConfigurationError) {
        // An empty text counts as no value, so that a source can remove the value of another source, such as the environment.
        let folder = try app.text("content-folder").flatMap { $0.isEmpty ? nil : $0 }
        var hasBucket = false
        for key in Self.bucketKeys {
            if try app.text(key, isSecret: Self.secrets.contains(key)) != nil { hasBucket = true }
        }
        let location: Location
        switch (folder, hasBucket) {
        case (let folder?, false): location = .folder(folder)
        case (nil, true): location = .bucket(try Self.bucket(app))
        case (.some, true): throw .content(key: "content-folder", .both)
        case (nil, false): throw .content(key: "content-folder", .missing)
        }
        self.init(location, delivery: try Self.delivery(app), tokensPerDay: try Self.tokensPerDay(app) ?? 50)
    }

    private static func bucket(_ app: ConfigurationScope) throws(ConfigurationError) -> S3Configuration {
        let name = try app.required("content-s3.bucket")
        let accessKeyID = try app.required("content-s3.access-key-id")
        let secret = try secretAccessKey(app)
        let endpoint = try app.url("content-s3.endpoint")
        let addressing: Addressing = try app.choice("content-s3.addressing") ?? .virtualHosted
        let region = try app.text("content-s3.region") ?? "us-east-1"
        do throws(S3ConfigurationError) {
            return try S3Configuration(
                bucket: name, region: region, credentials: S3Credentials(accessKeyID: accessKeyID, secretAccessKey: secret),
                endpoint: endpoint, addressing: addressing == .path ? .path : .virtualHosted)
        } catch {
            throw .content(key: key(of: error), .bucket(error))
        }
    }

    private static func key(of error: S3ConfigurationError) -> String {
        switch error {
        case .invalidCredentials: "content-s3.access-key-id"
        case .invalidRegion: "content-s3.region"
        case .invalidBucketName: "content-s3.bucket"
        case .endpointWithPath: "content-s3.endpoint"
        case .addressWithVirtualHost, .dottedBucketWithVirtualHost: "content-s3.addressing"
        }
    }

    /// Reads the secret access key from the configuration, or from a file that the configuration names, and removes white space at both
    /// ends.
    private static func secretAccessKey(_ app: ConfigurationScope) throws(ConfigurationError) -> String {
        let (key, fileKey) = ("content-s3.secret-access-key", "content-s3.secret-access-key-file")
        switch (try app.text(key, isSecret: true), try app.text(fileKey)) {
        case (let secret?, nil): return secret
        case (nil, let path?):
            let text = String(decoding: try ConfigurationScope.contents(key: fileKey, path: path), as: UTF8.self)
            return text.trimmingCharacters(in: .whitespacesAndNewlines)
        case (nil, nil), (.some, .some): throw .content(key: key, .secret)
        }
    }

    private static func delivery(_ app: ConfigurationScope) throws(ConfigurationError) -> DownloadDelivery {
        let delivery: Delivery = try app.choice("content-delivery") ?? .direct
        let location = try app.text("content-nginx-location")
        switch delivery {
        case .direct: return .direct
        case .presigned: return .presigned
        case .nginx:
            guard let location else { throw .content(key: "content-nginx-location", .location) }
            return .nginx(location: location)
        }
    }

    private static func tokensPerDay(_ app: ConfigurationScope) throws(ConfigurationError) -> Int? {
        guard let text = try app.text(tokensKey) else { return nil }
        guard let count = Int(text) else { throw .content(key: tokensKey, .tokensPerDay) }
        return count
    }
}
