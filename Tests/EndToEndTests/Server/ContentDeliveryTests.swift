import ContentStorage
import ContentTestSupport
import Foundation
import ProcessTestSupport
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import StoreTestSupport
import Testing
import Wire
import WireClient

/// Tests of content that nginx or a bucket sends in place of the server.
@Suite struct ContentDeliveryTests {
    private static let book = ContentServer.bytes(3_000_000)
    private static let tag = "\"\(ContentDigest(of: book))\""

    private func withNginx(_ body: (ContentServer, NginxServer, String) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            let options = ["--content-delivery", "nginx", "--content-nginx-location", NginxServer.location]
            try await ContentServer.with(options, in: folder) { content in
                try await content.publish(Self.book, name: "Bücher.epub")
                try await NginxServer.with(proxying: content.server.port, content: folder.url, in: folder) { nginx in
                    try await body(content, nginx, content.token().token)
                }
            }
        }
    }

    @Test func `nginx sends the file with the headers of the server`() async throws {
        try await withNginx { content, nginx, token in
            for method in ["GET", "HEAD"] {
                let answer = try await ContentAnswer.get(token, method: method, from: nginx.url)
                #expect(answer.status == 200 && answer.body == (method == "GET" ? Self.book : Data()))
                #expect(answer.headers["server"]?.hasPrefix("nginx") == true)
                #expect(answer.headers["etag"] == Self.tag && answer.headers["content-length"] == "\(Self.book.count)")
                #expect(answer.headers["content-type"] == "application/epub+zip")
                #expect(answer.headers["content-disposition"]?.hasSuffix("filename*=UTF-8''B%C3%BCcher.epub") == true)
                #expect(answer.headers["repr-digest"]?.hasPrefix("sha-256=:") == true)
                #expect(answer.headers["x-content-type-options"] == "nosniff" && answer.headers["cache-control"] == "private, no-store")
                #expect(answer.headers["x-accel-redirect"] == nil)
            }
        }
    }

    @Test func `the server itself sends no byte of the file`() async throws {
        try await withNginx { content, _, token in
            let answer = try await ContentAnswer.get(token, from: content.url)
            #expect(answer.status == 200 && answer.body.isEmpty)
            let digest = ContentDigest(of: Self.book)
            #expect(answer.headers["x-accel-redirect"] == "/protected/apps/\(BundleID.test)/\(ContentKey(addressing: digest))")
        }
    }

    @Test func `nginx sends ranges, and the whole file for a range of another version`() async throws {
        try await withNginx { content, nginx, token in
            for (headers, range) in [
                (["Range": "bytes=5-9"], 5..<10), (["Range": "bytes=-7"], 2_999_993..<3_000_000),
                (["Range": "bytes=2999990-", "If-Range": Self.tag], 2_999_990..<3_000_000),
            ] {
                let answer = try await ContentAnswer.get(token, headers, from: nginx.url)
                #expect(answer.status == 206 && answer.body == Self.book[range])
                #expect(answer.headers["content-range"] == "bytes \(range.lowerBound)-\(range.upperBound - 1)/3000000")
                #expect(answer.headers["etag"] == Self.tag)
            }
            let other = try await ContentAnswer.get(token, ["Range": "bytes=5-9", "If-Range": "\"other\""], from: nginx.url)
            #expect(other.status == 200 && other.body == Self.book)
            for range in ["bytes=3000000-", "bytes=0-0,5-6"] {
                #expect(try await ContentAnswer.get(token, ["Range": range], from: nginx.url).status == 416)
            }
            let known = try await ContentAnswer.get(token, ["If-None-Match": Self.tag], from: nginx.url)
            #expect(known.status == 304 && known.body.isEmpty)
        }
    }

    @Test func `nginx serves nothing that the server did not permit`() async throws {
        try await withNginx { content, nginx, token in
            let object = "/protected/apps/\(BundleID.test)/\(ContentKey(addressing: ContentDigest(of: Self.book)))"
            for path in [object, "/protected/products.json", "/protected/../products.json"] {
                #expect(try await ContentAnswer.get(token, path: path, from: nginx.url).status == 404)
            }
            #expect(try await ContentAnswer.get(nil, from: nginx.url).status == 401)
            try await content.server.backend.submit(
                ContentServer.sale {
                    $0.revocationDate = $0.signedDate
                    $0.revocationReason = 0
                    $0.signedDate = $0.signedDate.adding(seconds: 1)
                })
            let refused = try await ContentAnswer.get(token, from: nginx.url)
            #expect(refused.status == 403 && String(decoding: refused.body, as: UTF8.self).contains("content.refunded"))
        }
    }

    @Test func `an app downloads and resumes through nginx`() async throws {
        try await withNginx { content, nginx, _ in
            let folder = content.server.folder.file("app")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Self.book.prefix(1_000_000).write(to: folder.appending(path: "\(ContentDigest(of: Self.book)).partial"))
            #expect(try await content.download(from: nginx.url, to: folder) == Self.book)
        }
    }

    private func withBucket(_ delivery: String, _ body: (ContentServer) async throws -> Void) async throws {
        let bucket = try await S3Server.shared.bucket()
        let user = try await S3Server.shared.permanent
        try await TemporaryFolder.with { folder in
            try Data(user.secretAccessKey.utf8).write(to: folder.file("secret"))
            let configuration = [
                "bucket": bucket.bucket, "region": bucket.region, "endpoint": bucket.endpoint.text, "addressing": "path",
                "access-key-id": user.accessKeyID, "secret-access-key-file": folder.file("secret").path,
            ]
            try JSONEncoder().encode(["content-s3": configuration]).write(to: folder.file("configuration.json"))
            let options = [
                "--content-folder", "", "--configuration-file", folder.file("configuration.json").path, "--content-delivery", delivery,
            ]
            try await ContentServer.with(options, in: folder) { content in
                try await content.publish(Self.book)
                try await body(content)
            }
        }
    }

    @Test func `a client receives a presigned URL, which needs no token`() async throws {
        try await withBucket("presigned") { content in
            let token = try await content.token().token
            let answer = try await ContentAnswer.get(token, ["Range": "bytes=5-9"], from: content.url)
            #expect(answer.status == 307 && answer.body.isEmpty && answer.headers["cache-control"] == "private, no-store")
            let bucket = try await S3Server.shared.url
            let location = try #require(answer.headers["location"])
            #expect(location.hasPrefix("\(bucket)/bucket-") && location.contains("X-Amz-Expires=60&"))
            let path = String(location.dropFirst(bucket.text.count))
            #expect(try await ContentAnswer.get(nil, path: path, from: bucket).body == Self.book)
            let range = try await ContentAnswer.get(nil, ["Range": "bytes=2999990-"], path: path, from: bucket)
            #expect(range.status == 206 && range.body == Self.book.suffix(10))
            // The URL is signed for GET, so the server itself answers HEAD.
            let head = try await ContentAnswer.get(token, method: "HEAD", from: content.url)
            #expect(head.status == 200 && head.headers["etag"] == Self.tag && head.headers["content-length"] == "3000000")
        }
    }

    @Test(arguments: ["presigned", "direct"])
    func `an app downloads and resumes content in a bucket`(_ delivery: String) async throws {
        try await withBucket(delivery) { content in
            let folder = content.server.folder.file("app")
            #expect(try await content.download(from: content.url, to: folder) == Self.book)
            let path = folder.appending(path: "\(ContentDigest(of: Self.book))")
            try FileManager.default.removeItem(at: path)
            try Self.book.prefix(2_999_999).write(to: folder.appending(path: "\(ContentDigest(of: Self.book)).partial"))
            #expect(try await content.download(from: content.url, to: folder) == Self.book)
        }
    }

    @Test func `the server sends ranges and the manifest of content in a bucket`() async throws {
        try await withBucket("direct") { content in
            let token = try await content.token()
            let range = try await ContentAnswer.get(token.token, ["Range": "bytes=1048570-1048579"], from: content.url)
            #expect(range.status == 206 && range.body == Self.book[1_048_570..<1_048_580])
            let path = ServerEndpoints.contentManifest.path(["product": ContentServer.product.rawValue])
            let manifest = try await ContentAnswer.get(token.token, path: path, from: content.url)
            #expect(ContentDigest(of: manifest.body).hexadecimal == token.items.first?.versions.first?.manifest)
            #expect(try ContentManifest(json: manifest.body).chunks.count == 3)
        }
    }

    @Test func `while the bucket is away, downloads receive 503 with Retry-After`() async throws {
        try await TemporaryFolder.with { folder in
            let configuration = [
                "bucket": "books", "endpoint": "http://127.0.0.1:9", "addressing": "path", "access-key-id": "a",
                "secret-access-key": "hunter2",
            ]
            try JSONEncoder().encode(["content-s3": configuration]).write(to: folder.file("configuration.json"))
            let options = ["--content-folder", "", "--configuration-file", folder.file("configuration.json").path]
            let products = #"[{"id":"com.example.monkeyshop.book","file":"book.txt"}]"#
            let server = try await RunningServer.start(options, products: products, in: folder)
            try await server.backend.submit(ContentServer.sale())
            let headers = ["Authorization": "Bearer \(server.key)", "Tillroll-Customer": ContentServer.customer.rawValue]
            let path = ServerEndpoints.downloadToken.path(["product": ContentServer.product.rawValue])
            let answer = try await server.wire.answer("POST", path, headers, nil)
            #expect(answer.status == 503 && String(decoding: answer.body, as: UTF8.self).contains("content.unavailable"))
            #expect(answer.headers.contains { $0.name.lowercased() == "retry-after" && $0.value == "5" })
            #expect(!String(decoding: answer.body, as: UTF8.self).contains("hunter2"))
            await server.process.kill()
        }
    }
}
