package graph

import (
	"context"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/vektah/gqlparser/v2/ast"

	"rollcall/models"
)

// getter reads a field of an object, which is a pointer that is not nil; ok is false after an error.
type getter func(ctx, v reflect.Value) (field reflect.Value, ok bool)

var (
	contextType = reflect.TypeFor[context.Context]()
	errorType   = reflect.TypeFor[error]()
)

// getter finds what a field is bound to, as gqlgen does: its resolver, else a method or field of the Go type
// with its name. It gives the Go type of the value too; nil when nothing fits.
func (p *plans) getter(def *ast.Definition, of reflect.Type, lower string) (getter, reflect.Type) {
	if root := p.root.MethodByName(def.Name); root.IsValid() {
		resolver := root.Call(nil)[0]
		for m := range root.Type().Out(0).Methods() {
			if strings.ToLower(m.Name) != lower {
				continue
			}
			if m.Type.NumIn() != 2 || m.Type.In(0) != contextType || m.Type.In(1) != of {
				return nil, nil
			}
			call := resolver.MethodByName(m.Name)
			return func(ctx, v reflect.Value) (reflect.Value, bool) { return result(call.Call([]reflect.Value{ctx, v})) }, m.Type.Out(0)
		}
	}
	for m := range of.Methods() {
		if strings.ToLower(m.Name) != lower {
			continue
		}
		if n := m.Type.NumOut(); m.Type.NumIn() != 1 || n != 1 && (n != 2 || m.Type.Out(1) != errorType) {
			return nil, nil
		}
		return func(_, v reflect.Value) (reflect.Value, bool) { return result(v.Method(m.Index).Call(nil)) }, m.Type.Out(0)
	}
	field, ok := of.Elem().FieldByNameFunc(func(name string) bool { return strings.ToLower(name) == lower })
	if !ok || !field.IsExported() {
		return nil, nil
	}
	return func(_, v reflect.Value) (reflect.Value, bool) {
		at, err := v.Elem().FieldByIndexErr(field.Index)
		return at, err == nil
	}, field.Type
}

// result takes what a method gave: a value, and perhaps an error.
func result(out []reflect.Value) (reflect.Value, bool) {
	return out[0], len(out) == 1 || out[1].IsNil()
}

// leaf gives the writer of a scalar or enum, nil when there is none.
func leaf(def *ast.Definition, of reflect.Type) writer {
	switch {
	case def.Kind == ast.Enum && of.Kind() == reflect.String:
		return enum(def)
	case def.Kind != ast.Scalar:
		return nil
	case def.Name == "Date" && of == reflect.TypeFor[models.Date]():
		return func(_ reflect.Value, b []byte, v reflect.Value) ([]byte, bool) {
			d := held[models.Date](v)
			return append(d.AppendTo(append(b, '"')), '"'), true
		}
	case def.Name == "DateTime" && of == reflect.TypeFor[time.Time]():
		return func(_ reflect.Value, b []byte, v reflect.Value) ([]byte, bool) {
			t := held[time.Time](v)
			return append(t.AppendFormat(append(b, '"'), time.RFC3339), '"'), true
		}
	case (def.Name == "String" || def.Name == "ID") && of == reflect.TypeFor[string]():
		return func(_ reflect.Value, b []byte, v reflect.Value) ([]byte, bool) {
			return appendText(b, v.String()), true
		}
	case def.Name == "Int" && of == reflect.TypeFor[int]():
		return func(_ reflect.Value, b []byte, v reflect.Value) ([]byte, bool) {
			return strconv.AppendInt(b, v.Int(), 10), true
		}
	case def.Name == "Float" && of == reflect.TypeFor[float64]():
		return func(_ reflect.Value, b []byte, v reflect.Value) ([]byte, bool) {
			f := v.Float()
			return strconv.AppendFloat(b, f, 'g', -1, 64), !math.IsInf(f, 0) && !math.IsNaN(f)
		}
	case def.Name == "Boolean" && of == reflect.TypeFor[bool]():
		return func(_ reflect.Value, b []byte, v reflect.Value) ([]byte, bool) {
			return strconv.AppendBool(b, v.Bool()), true
		}
	default:
		return nil
	}
}

// held takes a value of a known type out of v, without a copy on the heap where v is part of a record.
func held[T any](v reflect.Value) (value T) {
	if v.CanAddr() {
		if at, ok := reflect.TypeAssert[*T](v.Addr()); ok {
			return *at
		}
	}
	value, _ = reflect.TypeAssert[T](v)
	return value
}

// enum writes values that are the names of the schema in lower case.
func enum(def *ast.Definition) writer {
	names := map[string]string{}
	for _, v := range def.EnumValues {
		names[strings.ToLower(v.Name)] = `"` + v.Name + `"`
	}
	return func(_ reflect.Value, b []byte, v reflect.Value) ([]byte, bool) {
		name, ok := names[v.String()]
		return append(b, name...), ok
	}
}

// appendText appends a JSON string as gqlgen writes it.
func appendText(b []byte, s string) []byte {
	const digits = "0123456789ABCDEF"
	b = append(b, '"')
	start := 0
	for i := range len(s) {
		c := s[i]
		if c >= ' ' && c != '\\' && c != '"' {
			continue
		}
		b = append(b, s[start:i]...)
		start = i + 1
		switch c {
		case '\t':
			b = append(b, '\\', 't')
		case '\r':
			b = append(b, '\\', 'r')
		case '\n':
			b = append(b, '\\', 'n')
		case '\\', '"':
			b = append(b, '\\', c)
		default:
			b = append(b, '\\', 'u', '0', '0', digits[c>>4], digits[c&0xf])
		}
	}
	return append(append(b, s[start:]...), '"')
}
