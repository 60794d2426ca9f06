import Foundation
import Testing

@testable import MessageSignatures

@Suite struct ContentDigestTests {
    /// The content of the examples of RFC 9530, appendix B.1.
    static let hello = Array("{\"hello\": \"world\"}\n".utf8)
    static let sha256 = "sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:"
    static let sha512 = "sha-512=:YMAam51Jz/jOATT6/zvHrLVgOYTGFy1d6GJiOHTohq4yP+pgk4vf2aCsyRZOtw8MjkM7iw7yZ/WkppmM44T3qg==:"
    static let other = "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:"

    @Test func `the digest is that of RFC 9530`() {
        #expect(ContentDigest(of: Self.hello).fieldValue == Self.sha256)
        #expect(ContentDigest(of: Data(Self.hello)).fieldValue == Self.sha256)
        #expect(ContentDigest(of: [UInt8]()).fieldValue == "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:")
    }

    @Test(arguments: [
        sha256, sha512, "\(sha256), \(sha512)", "\(sha512),\(sha256)", "\(sha256);x=1", "md5=:AAAA:, \(sha256)", "x=(1 2), y;z, \(sha512)",
    ])
    func `known digests that match are accepted, and others ignored`(_ field: String) throws {
        try ContentDigest(fieldValue: field).verify(Self.hello)
        #expect(throws: ContentDigestError.self) { try ContentDigest(fieldValue: field).verify(Self.hello.dropLast()) }
        #expect(throws: ContentDigestError.self) { try ContentDigest(fieldValue: field).verify(Self.hello + [0]) }
    }

    @Test(arguments: [
        (other, ContentDigestError.mismatch(.sha256)),
        ("\(other), \(sha512)", .mismatch(.sha256)),
        ("\(sha256), sha-512=:AAAA:", .mismatch(.sha512)),
        ("sha-256=::", .mismatch(.sha256)),
        ("sha-256=\"RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=\"", .invalid(.sha256)),
        ("sha-512=(:AAAA:), \(sha256)", .invalid(.sha512)),
        ("sha-256", .invalid(.sha256)),
        ("md5=:AAAA:", .noKnownAlgorithm),
        ("unixsum=1, SHA=:AAAA:", .malformed(.malformed(offset: 11))),
        ("", .noKnownAlgorithm),
        ("sha-256=:RK/0", .malformed(.malformed(offset: 13))),
        ("\(sha256), \(sha256)", .malformed(.duplicateKey(offset: 56))),
    ])
    func `a digest of other content, and one that is not a digest, is refused`(_ field: String, _ error: ContentDigestError) {
        #expect(throws: error) { try ContentDigest(fieldValue: field).verify(Self.hello) }
    }
}
