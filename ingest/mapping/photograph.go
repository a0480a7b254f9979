package mapping

import "rollcall/ingest/decode"

// photographSays is what the field holds, for authors of source documents.
const photographSays = "The photograph: an address, the name of a file in the drop, or the picture itself in base64. It is taken only where `privacy.photographs` says why it may be."

// ReadPhotographs has rows name their photographs from now on. A run does not ask for it: they are brought after it.
func (m *Mapper) ReadPhotographs() { m.photographs = true }

// photograph returns what the row names as its photograph, however long; empty for none, and where nobody asks.
func (m *Mapper) photograph(entity string, rec decode.Fields) string {
	f := m.entities[entity].get("photograph")
	if !m.photographs || f == nil {
		return ""
	}
	for i := range f.ways {
		w := &f.ways[i]
		if !w.open(rec) {
			continue
		}
		if said := w.read(rec); said != "" {
			return said
		}
	}
	return ""
}
