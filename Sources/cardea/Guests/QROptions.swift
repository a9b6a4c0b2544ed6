import ArgumentParser
import CardeaClient
import CardeaQR
import Foundation

struct QROptions: ParsableArguments {
    @Flag(inversion: .prefixedNo, help: "Draw the link as a QR code; left out, on a terminal only.")
    var qr: Bool?
}
