package decode

// remembered is what stands around rows: the page, or the record in which they are nested. Each of its values is read once,
// as every row asks for the same ones and a page may be long. The lists that it returns must not be changed.
type remembered struct {
	Fields
	values map[string]answer
	nulls  map[string]bool
	lists  map[string][]Fields
}

// answer is what Value returned.
type answer struct {
	text string
	ok   bool
}

// remember returns fields whose values are read once.
func remember(f Fields) *remembered {
	return &remembered{f, map[string]answer{}, map[string]bool{}, map[string][]Fields{}}
}

// Value is the value of the fields.
func (r *remembered) Value(path string) (string, bool) {
	v, known := r.values[path]
	if !known {
		v.text, v.ok = r.Fields.Value(path)
		r.values[path] = v
	}
	return v.text, v.ok
}

// Null is that of the fields.
func (r *remembered) Null(path string) bool {
	null, known := r.nulls[path]
	if !known {
		null = r.Fields.Null(path)
		r.nulls[path] = null
	}
	return null
}

// Rows are those of the fields.
func (r *remembered) Rows(path string) []Fields {
	list, known := r.lists[path]
	if !known {
		list = r.Fields.Rows(path)
		r.lists[path] = list
	}
	return list
}
