import Foundation
import StoreKit
import Testing

@Suite struct StoreKit1ErrorTests {
    private let cancelled = SKError(.paymentCancelled, userInfo: [NSLocalizedDescriptionKey: "No.", "x": 1])

    private func caught(_ error: any Error) -> String {
        do {
            throw error
        } catch SKError.paymentCancelled {
            return "cancelled"
        } catch let error as SKError {
            return "\(error.errorCode)"
        } catch {
            return "other"
        }
    }

    @Test func `an error is a Foundation error with domain, code and user info`() {
        for error in [cancelled as any Error as NSError, (cancelled as Any) as? NSError, cancelled._nsError] {
            #expect(error?.domain == SKErrorDomain)
            #expect(error?.code == 2)
            #expect(error?.localizedDescription == "No.")
            #expect(error?.userInfo["x"] as? Int == 1)
        }
        #expect(SKError.errorDomain == "SKErrorDomain")
        #expect(cancelled.errorCode == 2 && cancelled.code == .paymentCancelled)
        #expect(cancelled.userInfo["x"] as? Int == 1 && cancelled.errorUserInfo["x"] as? Int == 1)
        #expect((cancelled as any Error).localizedDescription == "No.")
    }

    @Test(arguments: [
        (SKError(.paymentCancelled) as any Error, "cancelled"), (SKError(.unknown), "0"),
        (NSError(domain: "SKErrorDomain", code: 2), "cancelled"), (NSError(domain: "SKErrorDomain", code: 907), "907"),
        (NSError(domain: "Other", code: 2), "other"), (URLError(.badURL), "other"), (CancellationError(), "other"),
    ])
    func `errors are caught by code and by type, also as NSError`(_ error: any Error, _ expected: String) {
        #expect(caught(error) == expected)
    }

    @Test func `errors are equal when domain, code and user info are`() {
        #expect(SKError(.unknown) == SKError(.unknown))
        #expect(SKError(.unknown) != SKError(.clientInvalid))
        #expect(SKError(.unknown) != SKError(.unknown, userInfo: ["x": 1]))
        #expect(cancelled == SKError(_nsError: cancelled._nsError))
        #expect(Set([cancelled, cancelled, SKError(.paymentCancelled)]).count == 2)
    }

    @Test func `an undefined code keeps its number`() {
        let error = SKError(_nsError: NSError(domain: SKErrorDomain, code: 907))
        #expect(error.code == SKError.Code(rawValue: 907) && error.code != .unknown)
        #expect(error.errorCode == 907 && !error.localizedDescription.isEmpty)
    }

    @Test func `every code has Apple's number and a localized description`() {
        let codes = (0...21).compactMap { SKError.Code(rawValue: $0) }
        #expect(codes.first == .unknown && codes.last == .paymentMethodBindingConfigurationRequired && codes.count == 22)
        #expect(SKError.overlayPresentedInBackgroundScene.rawValue == 20)
        #expect(SKError.ineligibleForOffer == SKError.Code(rawValue: 18))
        for code in codes { #expect(SKError(code).localizedDescription.hasSuffix(".")) }
    }

    @Test func `a code matches in conditions and switches`() {
        let error: any Error = cancelled
        if case SKError.paymentCancelled = error {} else { Issue.record("The condition did not match the code.") }
        switch (error as? SKError)?.code {
        case .paymentCancelled?: break
        case .unknown, .clientInvalid, .paymentInvalid, .paymentNotAllowed, nil: Issue.record("The switch matched a wrong code.")
        default: Issue.record("The switch matched no code.")
        }
        #expect(SKError.paymentCancelled == SKError.Code.paymentCancelled)
    }
}
