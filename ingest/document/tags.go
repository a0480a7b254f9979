package document

import (
	"cmp"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// The tags of a field that say what a document may write there, besides `yaml` with its key:
//
//	Size int `yaml:"size" min:"1" max:"200" default:"50" example:"100"`
//
// The checks below, and the reference in docs/sources-reference.md, are made of them.
const (
	// tagOneOf lists the allowed words, separated by blanks.
	tagOneOf = "oneof"
	// tagMin is the least number, in the form of the field ("1s", "0.1"), and tagMax the greatest.
	tagMin = "min"
	tagMax = "max" // the greatest number
	// tagDefault is what an absent key means.
	tagDefault = "default"
	// tagAbsent says the same in words, where other keys decide.
	tagAbsent = "absent"
	// tagRequired is "true" if the key must be there.
	tagRequired = "required"
)

// Tag is what the tags of one field say.
type Tag struct {
	// Key is the key in the document.
	Key string
	// OneOf are the allowed words; any text is allowed if it is empty.
	OneOf []string
	// Min and Max are as written in the tags; empty is no bound.
	Min, Max string
	// Default is applied where the key is absent.
	Default string
	// Absent is in words, where no single value is applied.
	Absent   string
	Required bool
	Example  string
}

// TagOf reads the tags of a field. The second result is false for fields that no document can write.
func TagOf(f reflect.StructField) (Tag, bool) {
	key := f.Tag.Get("yaml")
	if key == "" || key == "-" {
		return Tag{}, false
	}
	return Tag{
		Key: key, OneOf: strings.Fields(f.Tag.Get(tagOneOf)), Min: f.Tag.Get(tagMin), Max: f.Tag.Get(tagMax),
		Default: f.Tag.Get(tagDefault), Absent: f.Tag.Get(tagAbsent), Required: f.Tag.Get(tagRequired) == "true", Example: f.Tag.Get("example"),
	}, true
}

// Defaults fills in what a document left out: every zero field below into, a pointer to a struct, that has a
// default. A document therefore cannot set such a field to zero.
func Defaults(into any) { fill(reflect.ValueOf(into)) }

// fill is Defaults of a value. Structs in a map are copied, because they cannot be set in place.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			fill(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			fill(v.Index(i))
		}
	case reflect.Map:
		if k := v.Type().Elem().Kind(); k != reflect.Struct {
			return
		}
		// A value in a map cannot be set, so a filled copy takes its place.
		for _, key := range v.MapKeys() {
			filled := reflect.New(v.Type().Elem()).Elem()
			filled.Set(v.MapIndex(key))
			fill(filled)
			v.SetMapIndex(key, filled)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			tag, ok := TagOf(v.Type().Field(i))
			if !ok {
				continue
			}
			if tag.Default != "" && v.Field(i).IsZero() {
				read("", &yaml.Node{Kind: yaml.ScalarNode, Value: tag.Default}, v.Field(i), &Problems{})
			}
			fill(v.Field(i))
		}
	default:
	}
}

// Check notes the values below of, a pointer to a struct, that their tags do not allow, and required keys
// that are absent. Numbers are checked only where they are given.
func Check(path string, of any, problems *Problems) { check(path, reflect.ValueOf(of), problems) }

// check is Check of a value. Maps are read in order, so that mistakes are reported in one order.
func check(path string, v reflect.Value, problems *Problems) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			check(path, v.Elem(), problems)
		}
	case reflect.Slice:
		for i := range v.Len() {
			check(Index(path, i), v.Index(i), problems)
		}
	case reflect.Map:
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return cmp.Compare(a.String(), b.String()) })
		for _, key := range keys {
			check(At(path, key.String()), v.MapIndex(key), problems)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if tag, ok := TagOf(v.Type().Field(i)); ok {
				tag.check(At(path, tag.Key), v.Field(i), problems)
				check(At(path, tag.Key), v.Field(i), problems)
			}
		}
	default:
	}
}

// check notes what the tags of one field do not allow.
func (t Tag) check(path string, v reflect.Value, problems *Problems) {
	if v.IsZero() {
		if t.Required {
			problems.Add(path, "is missing%s", t.choice())
		}
		return
	}
	if v.Kind() == reflect.String && len(t.OneOf) > 0 && !slices.Contains(t.OneOf, v.String()) {
		problems.Add(path, "%q is not allowed%s", v.String(), Suggest(v.String(), t.OneOf))
	}
	n, ok := number(v)
	if ok && (t.Min != "" && n < bound(t.Min, v) || t.Max != "" && n > bound(t.Max, v)) {
		problems.Add(path, "is %s; it must be %s", text(v), t.Bounds())
	}
}

// choice lists the allowed words for a message about a missing key.
func (t Tag) choice() string {
	if len(t.OneOf) == 0 {
		return ""
	}
	return "; known are " + strings.Join(t.OneOf, ", ")
}

// Bounds says which numbers are allowed, in words; it is empty where all are.
func (t Tag) Bounds() string {
	switch {
	case t.Min != "" && t.Max != "":
		return "from " + t.Min + " to " + t.Max
	case t.Min != "":
		return t.Min + " or more"
	case t.Max != "":
		return t.Max + " or less"
	default:
		return ""
	}
}

// number returns a number of any kind; ok is false for other values.
func number(v reflect.Value) (float64, bool) {
	switch v.Kind() {
	case reflect.Int, reflect.Int64:
		return float64(v.Int()), true
	case reflect.Float64:
		return v.Float(), true
	default:
		return 0, false
	}
}

// bound reads a bound in the form of the field: a duration ("1s") or a number.
func bound(tag string, v reflect.Value) float64 {
	if v.Type() == reflect.TypeFor[time.Duration]() {
		d, _ := time.ParseDuration(tag)
		return float64(d)
	}
	n, _ := strconv.ParseFloat(tag, 64)
	return n
}

// text writes a number or duration as an author writes it.
func text(v reflect.Value) string {
	if d, ok := reflect.TypeAssert[time.Duration](v); ok {
		return d.String()
	}
	if v.Kind() == reflect.Float64 {
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	}
	return strconv.FormatInt(v.Int(), 10)
}
