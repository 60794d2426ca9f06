import Foundation
import LocalAppStore
import PurchaseTestSupport
import Testing

/// What fuzzing found worth keeping of `.storekit` files.
@Suite struct FuzzCorpusTests {
    @Test(arguments: try FuzzCorpus.inputs("storekit"))
    func `a storekit file is a catalogue or an error`(input: FuzzCorpus.Input) {
        let catalogue = try? Catalogue(storekit: Data(input.bytes))
        if input.isGenuine { #expect(catalogue != nil) }
    }
}
