import CrashNote
import Foundation
import FuzzSupport
import PurchaseProof

/// Damages signed samples in every way and looks whether anything but an error or the same value comes out.
///
///     totality SAMPLES [PART PARTS]
///
/// SAMPLES is a folder that `scripts/samples` made. PART of PARTS, from 0, does its share of the work, so that several processes
/// can share it. Prints a line for each sample; exit 1 when a damaged sample was verified with another content, or when
/// memory or time went beyond what the input allows. A trap prints the sample and what was done to it.
@main struct Totality {
    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count == 2 || arguments.count == 4, let part = Int(arguments.count == 4 ? arguments[2] : "0"),
            let parts = Int(arguments.count == 4 ? arguments[3] : "1"), parts > 0
        else {
            print("totality SAMPLES [PART PARTS]")
            exit(64)
        }
        crash_note_install()
        do {
            var trial = try Trial(samples: URL(filePath: arguments[1]))
            try await trial.run(part: part, of: parts)
            exit(trial.findings == 0 ? 0 : 1)
        } catch {
            print("totality: \(error)")
            exit(1)
        }
    }
}
