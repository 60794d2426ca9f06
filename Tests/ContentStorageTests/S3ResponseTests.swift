import Foundation
import PurchaseModel
import PurchaseTestSupport
import Testing

@testable import ContentStorage

/// The XML of a bucket, genuine and hostile.
@Suite struct S3ResponseTests {
    private static let namespace = #"xmlns="http://s3.amazonaws.com/doc/2006-03-01/""#

    private static func list(_ inside: String) -> Data {
        Data("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ListBucketResult \(namespace)>\(inside)</ListBucketResult>".utf8)
    }

    private static func object(_ key: String, size: String = "434234", date: String = "2009-10-12T17:50:30.000Z") -> String {
        "<Contents><Key>\(key)</Key><LastModified>\(date)</LastModified><ETag>&quot;fba9d&quot;</ETag><Size>\(size)</Size></Contents>"
    }

    @Test func `a listing has the objects and the position of the next page`() throws {
        let listing = try S3Response.listing(
            Self.list("<IsTruncated>true</IsTruncated><NextContinuationToken>1/+=</NextContinuationToken>\(Self.object("a/b"))"))
        let object = StoredContent(
            key: "a/b", length: 434_234, sha256: nil, modified: Timestamp(milliseconds: 1_255_369_830_000), entityTag: "\"fba9d\"")
        #expect(listing == ContentListing(objects: [object], next: ContentCursor("1/+=")))
    }

    @Test func `objects whose keys are not valid here are omitted`() throws {
        let keys = ["../x", "/x", "a b", ".hidden", "", "é", "a"].map { Self.object($0) }.joined()
        #expect(try S3Response.listing(Self.list(keys)).objects.map(\.key) == ["a"])
    }

    @Test func `an encoded key is decoded`() throws {
        let keys = ["a%2Fb", "a%28b%29", "a+b", "a%01", "%", "%FF"].map { Self.object($0) }.joined()
        let listing = try S3Response.listing(Self.list("<EncodingType>url</EncodingType>\(keys)"))
        #expect(listing.objects.map(\.key) == ["a/b", "a(b)"])
        let uploads = try S3Response.uploads(
            Data(
                """
                <ListMultipartUploadsResult><EncodingType>url</EncodingType><IsTruncated>true</IsTruncated>
                <NextKeyMarker>a%2Fb+c</NextKeyMarker><NextUploadIdMarker>u</NextUploadIdMarker></ListMultipartUploadsResult>
                """.utf8))
        #expect(uploads.next?.map(\.1) == ["a/b c", "u"])
    }

    @Test(arguments: [
        object("a", size: "-1"), object("a", size: "9223372036854775808"), object("a", size: ""), object("a", size: "0x10"),
        object("a", date: "yesterday"), object("a", date: ""), object("a", date: "2009-13-45T99:99:99.000Z"),
        "<Contents><Key>a</Key></Contents>", "<IsTruncated>true</IsTruncated>",
        "<IsTruncated>true</IsTruncated><NextContinuationToken></NextContinuationToken>",
    ])
    func `a listing with an invalid object is malformed`(_ inside: String) {
        #expect(throws: ContentStorageError.self) { try S3Response.listing(Self.list(inside)) }
    }

    @Test(arguments: [
        "", " ", "<", "<a", "<a>", "<a></b>", "a", "{}", "<a/><b/>", "<a/>b", "b<a/>", "</a>", "<a></a", "<a></a></a>", "< a/>", "<a>< /a>",
        "<a>&unknown;</a>", "<a>&lt</a>", "<a>&</a>", "<a>\u{0}</a>", "<a>\u{1}</a>", "<a>&#0;</a>", "<a>&#x110000;</a>", "<a>&#xD800;</a>",
        "<a>&#99999999999;</a>", "<a>&#-1;</a>", "<a>&#+65;</a>", "<a>&#x+41;</a>", "<a b=c/>", "<a b/>", "<a b=\"c/>", "<a b='<'/>",
        "<a b='1'c='2'/>", "<a/ >", "<a =''/>",
        "<a><!-- </a>", "<a><![CDATA[</a>", "<![CDATA[a]]>", "<a><?</a>", "<>", "</>", "<a><!b></a>",
        "<!DOCTYPE a [<!ENTITY x \"y\">]><a>&x;</a>", "<?xml version=\"1.0\"?><!DOCTYPE a SYSTEM \"file:///etc/passwd\"><a/>",
        String(repeating: "<a>", count: 17) + String(repeating: "</a>", count: 17), String(repeating: "<a>", count: 200_000),
        "<a>" + String(repeating: "<b/>", count: 100_000) + "</a>", "<a>" + String(repeating: " ", count: 4 << 20) + "</a>",
        String(repeating: "<!--", count: 500_000), "<a>" + String(repeating: "&", count: 1_000_000),
    ])
    func `a hostile document is refused`(_ text: String) {
        #expect(S3XML(Data(text.utf8)) == nil)
    }

    @Test func `a document of invalid UTF-8 or of damaged bytes is refused or read, and never traps`() {
        let valid = Self.list(Self.object("a/b"))
        var random = SeededRandom(seed: 1)
        for _ in 0..<2_000 {
            var damaged = valid
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                damaged[Int.random(in: 0..<damaged.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            _ = S3XML(damaged)
            _ = try? S3Response.listing(damaged)
        }
        for length in 0..<valid.count { #expect(S3XML(valid.prefix(length)) == nil) }
        // Foundation's parser traps at this document.
        #expect(S3XML(Data([0x3C, 0x61, 0xFF, 0x3E, 0x3C, 0x2F, 0x61, 0xFF, 0x3E])) == nil)
    }

    @Test func `blanks before a document, namespaces and sections of characters are read`() throws {
        let text =
            "\n \r\n<?xml version=\"1.0\"?><s:a xmlns:s=\"x\" b = '>' ><s:Code>1&lt;<![CDATA[&2]]></s:Code><b/><!-- <c/> --><?d?><Code>3&#x41;&#66;&apos;&quot;&gt;é</Code></s:a >\n"
        let document = try #require(S3XML(Data(text.utf8)))
        #expect(document.name == "a" && document["Code"] == "1<&2" && document["b"] == "" && document["c"] == nil)
        #expect(document.all("Code").map(\.text) == ["1<&2", "3AB'\">é"])
    }

    @Test func `the parts and the uploads of a bucket are read page by page`() throws {
        let parts = try S3Response.parts(
            Data(
                """
                <ListPartsResult><IsTruncated>true</IsTruncated><NextPartNumberMarker>1</NextPartNumberMarker>
                <Part><PartNumber>1</PartNumber><ETag>"e"</ETag><Size>5242880</Size></Part></ListPartsResult>
                """.utf8))
        #expect(parts.elements == [UploadPlan.StoredPart(number: 1, length: 5 << 20, entityTag: "\"e\"")])
        #expect(parts.next?.map(\.0) == ["part-number-marker"] && parts.next?.map(\.1) == ["1"])
        let uploads = try S3Response.uploads(
            Data(
                """
                <ListMultipartUploadsResult><IsTruncated>false</IsTruncated><Upload><Key>a b</Key><UploadId>u</UploadId>
                <Initiated>2010-11-10T20:48:33Z</Initiated></Upload></ListMultipartUploadsResult>
                """.utf8))
        #expect(uploads.elements == [S3Response.Upload(key: "a b", id: "u", initiated: Timestamp(milliseconds: 1_289_422_113_000))])
        #expect(uploads.next == nil)
    }

    @Test(arguments: ["", "\n", "a b", String(repeating: "u", count: 2_049)]) func `an upload has a printable identifier`(_ id: String) {
        let body = "<InitiateMultipartUploadResult><UploadId>\(id)</UploadId></InitiateMultipartUploadResult>"
        #expect(throws: ContentStorageError.self) { try S3Response.uploadID(Data(body.utf8)) }
    }

    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", Int64(784_111_777_000) as Int64?), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("Sun, 06 Nov 1994 08:49:37 CET", nil), ("Sun, 06 Foo 1994 08:49:37 GMT", nil), ("", nil), ("Sun, 46 Nov 1994 08:49:37 GMT", nil),
        ("Sun, é6 Nov 1994 08:49:3 GMT", nil), ("          a         b    GMT", nil),
    ])
    func `a date of HTTP is read`(_ text: String, _ milliseconds: Int64?) {
        #expect(S3Date.parseHTTP(text)?.milliseconds == milliseconds)
    }

    @Test(arguments: [("\"a&b<c>\"", "&quot;a&amp;b&lt;c&gt;&quot;"), ("abc", "abc")])
    func `the text of an element is escaped`(_ text: String, _ escaped: String) {
        #expect(S3XML.escape(text) == escaped)
        #expect(S3XML(Data("<a>\(escaped)</a>".utf8))?.text == text)
    }
}
