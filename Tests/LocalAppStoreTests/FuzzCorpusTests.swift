import Foundation
import LocalAppStore
import PurchaseTestSupport
import Testing

/// What fuzzing found worth keeping of `.storekit` files.
@Suite struct FuzzCorpusTests {
    @Test(arguments: try FuzzCorpus.inputs("storekit"))
    func `a storekit file is a catalog or an error`(input: FuzzCorpus.Input) {
        let catalog = try? Catalog(storekit: Data(input.bytes))
        if input.isGenuine { #expect(catalog != nil) }
    }
}
