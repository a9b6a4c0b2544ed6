import ArgumentParser
import CardeaClient
import CardeaQR
import Foundation

struct QROptions: ParsableArguments {
    @Flag(inversion: .prefixedNo, help: "Show the link as a QR code. Default: only on a terminal.")
    var qr: Bool?
}
