import CStoreKit
public import Foundation
import OpenStoreKit

extension SKDownloadState {
    init(_ state: DownloadRecord.State) {
        self =
            switch state {
            case .waiting: .waiting
            case .active: .active
            case .paused: .paused
            case .finished: .finished
            case .failed: .failed
            case .cancelled: .cancelled
            }
    }
}

/// The remaining time of a download without an estimate.
public let SKDownloadTimeRemainingUnknown: TimeInterval = -1
