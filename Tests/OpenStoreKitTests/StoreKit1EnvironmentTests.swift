import Foundation
import PurchaseModel
import PurchaseTestSupport
import StoreTestSupport
import Testing

@testable import OpenStoreKit

@Suite struct StoreKit1EnvironmentTests {
    @Test func `an environment without a store makes no device`() throws {
        #expect(try Device.fromEnvironment([:]) == nil)
        #expect(try Device.fromEnvironment(["OPENSTOREKIT_STORE_URL": "", "OPENSTOREKIT_BUNDLE_ID": "a"]) == nil)
    }

    @Test func `a device from the environment has its settings and signs in`() async throws {
        let phone = try await Phone()
        let environment = try phone.environment.merging(["OPENSTOREKIT_APP_VERSION": "2.0"]) { $1 }
        let device = try #require(try Device.fromEnvironment(environment))
        #expect(device.configuration.appVersion == "2.0")
        #expect(await RequestDelegate.refresh(on: device).calls == ["finished"])
        #expect(device.account == phone.account)
    }

    @Test(arguments: [
        (["OPENSTOREKIT_STORE_URL": "nowhere"], "STORE_URL"),
        (["OPENSTOREKIT_BUNDLE_ID": ""], "BUNDLE_ID"),
        (["OPENSTOREKIT_ROOTS": ""], "ROOTS"),
        (["OPENSTOREKIT_ROOTS": "/nowhere.pem"], "ROOTS"),
        (["OPENSTOREKIT_ACCOUNT": "jane"], "PASSWORD"),
        (["OPENSTOREKIT_PASSWORD": "ladder"], "ACCOUNT"),
        (["OPENSTOREKIT_INTERFACE": "window"], "INTERFACE"),
    ])
    func `an error names the invalid environment variable`(_ wrong: [String: String], _ name: String) throws {
        let folder = try TemporaryFolder()
        let roots = folder.file("roots.pem")
        try Data("PEM".utf8).write(to: roots)
        let right = [
            "OPENSTOREKIT_STORE_URL": "http://127.0.0.1:1", "OPENSTOREKIT_BUNDLE_ID": "a",
            "OPENSTOREKIT_ROOTS": roots.path(percentEncoded: false),
        ]
        let environment = right.merging(wrong) { $1 }
        let error = #expect(throws: DeviceError.self) { try Device.fromEnvironment(environment) }
        guard case .environment(let named, _)? = error else { throw CancellationError() }
        #expect(named == "OPENSTOREKIT_\(name)")
        #expect(error?.description.hasPrefix("The environment variable OPENSTOREKIT_") == true)
    }
}
