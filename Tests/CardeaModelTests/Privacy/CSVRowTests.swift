import CardeaModel
import Foundation
import Testing

@Suite("CSV cells are safe from formulas")
struct CSVRowTests {
    @Test(
        "A cell is quoted and escaped",
        arguments: [
            ("Müller", "Müller"), ("O'Brien", "O'Brien"), ("", ""), ("a - b", "a - b"), ("Anna, the neighbour", #""Anna, the neighbour""#),
            (#"say "hi""#, #""say ""hi""""#), ("two\r\nlines", "\"two\r\nlines\""), ("-5", "'-5"), ("@home", "'@home"),
            ("+49 170 1234567", "'+49 170 1234567"), (#"=HYPERLINK("http://192.0.2.1")"#, #""'=HYPERLINK(""http://192.0.2.1"")""#),
            ("a;=1+1;b", #""a;'=1+1;b""#), ("Tür;+2+3", #""Tür;'+2+3""#), ("Anna;@SUM(1)", #""Anna;'@SUM(1)""#), ("a|-1", #""a|'-1""#),
            ("a\t=1", "\"a\t'=1\""), ("a,=1", #""a,'=1""#), ("a; =1", #""a;' =1""#), (#"a;"=1"#, #""a;'""=1""#), ("a\n=1", "\"a\n'=1\""),
            (" =1", "' =1"), ("a;\tb", "\"a;'\tb\""), ("\u{FF1D}1", "'\u{FF1D}1"),
        ])
    func written(_ text: String, _ cell: String) {
        #expect(CSVRow.text([text]) == cell + "\r\n")
    }

    @Test("No cell starts with a formula sign, for any separator", arguments: [",", ";", "\t", "|"])
    func parted(_ separator: String) {
        let texts = ["=", "+1", "-", "@a", ";=1", "a;;=1", "a,\t=1", #"a;"";"=1"#, "a|\u{A0}+1", "\t=1", "a\r=1", "a;b,=1|-2"]
        let row = CSVRow.byteOrderMark + CSVRow.text(["1"] + texts + ["end"])
        for line in row.components(separatedBy: .newlines) {
            for cell in line.components(separatedBy: separator) {
                let first = cell.unicodeScalars.first { $0 != "\"" && $0 != " " && $0 != "\u{A0}" }
                #expect(first.map { "=+-@".unicodeScalars.contains($0) } != true, "\(cell)")
            }
        }
    }
}
