import Testing

@testable import PurchaseProof

@Suite struct RootFingerprintTests {
    @Test(arguments: [
        (
            RootFingerprint.appleRootCA,
            "B0:B1:73:0E:CB:C7:FF:45:05:14:2C:49:F1:29:5E:6E:DA:6B:CA:ED:7E:2C:68:C5:BE:91:B5:A1:10:01:F0:24"
        ),
        (
            RootFingerprint.appleRootCAG3,
            "63:34:3A:BF:B8:9A:6A:03:EB:B5:7E:9B:3F:5F:A7:BE:7C:4F:5C:75:6F:30:17:B3:A8:C4:88:C3:65:3E:91:79"
        ),
        (
            RootFingerprint.storeKitTest,
            "FF:0B:A3:6E:72:1D:2D:B7:41:D2:AA:11:E6:11:2E:F7:8B:F7:13:1B:46:C7:F0:35:B0:08:91:D0:45:C8:64:FE"
        ),
    ])
    func `the pinned roots have the fingerprints that Apple publishes`(root: RootFingerprint, published: String) {
        #expect(root.description == published)
    }

    @Test func `a fingerprint is the SHA-256 of the encoded certificate`() {
        let empty = "E3:B0:C4:42:98:FC:1C:14:9A:FB:F4:C8:99:6F:B9:24:27:AE:41:E4:64:9B:93:4C:A4:95:99:1B:78:52:B8:55"
        #expect(RootFingerprint(of: []).description == empty)
    }
}
