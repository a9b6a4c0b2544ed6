import CardeaModel
import Testing

@Suite("Slugs")
struct SlugTests {
    @Test("Identifiers are derived from names")
    func slugs() {
        #expect(Slug.make("Front Door") == "front-door")
        #expect(Slug.make("Ötzi's  Tür!", separator: "_") == "tzi_s_t_r")
        #expect(Slug.make("玄関") == nil)
    }
}
