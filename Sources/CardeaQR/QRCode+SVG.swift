extension QRCode {
    /// A picture for a page or for paper: black on white whatever the theme, with its quiet zone, as large as its box.
    public func svg() -> String {
        let side = size + 2 * Self.margin
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(side) \(side)" shape-rendering="crispEdges" role="img" \
            aria-label="QR code"><rect width="\(side)" height="\(side)" fill="#fff"/><path fill="#000" d="\(path)"/></svg>
            """
    }

    /// Every run of dark modules in a row as one rectangle.
    private var path: String {
        var path = ""
        for row in 0..<size {
            var column = 0
            while column < size {
                let start = column
                while self[column, row] { column += 1 }
                if column > start {
                    let length = column - start
                    path += "M\(start + Self.margin) \(row + Self.margin)h\(length)v1h-\(length)z"
                }
                column += 1
            }
        }
        return path
    }
}
