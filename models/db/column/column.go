// Package column reads and writes the columns whose Go type database/sql does not know, as GORM
// serializers. A field names one in its tag: `gorm:"serializer:georgia"`.
//
//	county   *models.County              smallint, the county's number
//	georgia  time.Time, *time.Time       timestamptz, read in Georgia's zone
//	utc      time.Time, *time.Time       timestamptz, read in UTC
//	date     models.Date, *models.Date   date
//	list     []string and its like       text[]; null and {} are read as an empty list, never nil
//
// An Array is an argument of a condition such as "rid = any (?)".
//
// A pointer is nil where the column is null; null into a field that is no pointer is an error. A
// wrong field type is an error with the names of field and column, never a zero value.
//
// It is not for statements or tables. Queries of pgx convert such columns by themselves.
package column

import (
	"context"
	"database/sql/driver"
	"fmt"
	"math"
	"reflect"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgtype"
	"gorm.io/gorm/schema"

	"rollcall/models"
)

// Register makes the serializers known to GORM, which has one registry a process. It must be called
// before GORM first sees a model with such a field. The counties of Georgia are alike in every database of this program, so the
// last call may stand for all.
func Register(counties *models.Counties) {
	schema.RegisterSerializer("county", county{counties})
	schema.RegisterSerializer("georgia", instant{models.Georgia})
	schema.RegisterSerializer("utc", instant{time.UTC})
	schema.RegisterSerializer("date", date{})
	schema.RegisterSerializer("list", list{&sync.Pool{New: func() any { return pgtype.NewMap() }}})
}

// Array is a list of values as one argument. GORM writes a plain slice as (?, ?, ...), which is another statement for each
// length.
type Array[T any] []T

// Value returns the list for pgx, which writes it as an array. A nil list is null.
func (a Array[T]) Value() (driver.Value, error) {
	if a == nil {
		return nil, nil //nolint:nilnil // null is a value
	}
	return []T(a), nil
}

// put stores v, or nil when null, in a field of type T or *T.
func put[T any](ctx context.Context, field *schema.Field, row reflect.Value, v T, null bool) error {
	to := field.ReflectValueOf(ctx, row).Addr()
	if pointer, ok := reflect.TypeAssert[**T](to); ok {
		*pointer = nil
		if !null {
			*pointer = &v
		}
		return nil
	}
	value, ok := reflect.TypeAssert[*T](to)
	if !ok {
		return fmt.Errorf("field %s of column %s is a %s, not a %T or a pointer to it", field.Name, field.DBName, field.FieldType, v)
	}
	if null {
		return fmt.Errorf("column %s is null, and its field %s must be set", field.DBName, field.Name)
	}
	*value = v
	return nil
}

// take reads a field of type T or *T; ok is false for a nil pointer, which is written as null.
func take[T any](field *schema.Field, value any) (v T, ok bool, err error) {
	switch from := value.(type) {
	case *T:
		if from == nil {
			return v, false, nil
		}
		return *from, true, nil
	case T:
		return from, true, nil
	}
	return v, false, fmt.Errorf("field %s of column %s holds a %T, not a %T", field.Name, field.DBName, value, v)
}

// unexpected is the error for a column of another type than its serializer reads.
func unexpected(field *schema.Field, got any, want string) error {
	return fmt.Errorf("column %s is a %T for GORM, not a %s", field.DBName, got, want)
}

// county reads the number of a county as the shared *models.County. The field is always a pointer.
type county struct{ all *models.Counties }

// Scan looks the county up by its number. A number that no county has is an error.
func (c county) Scan(ctx context.Context, field *schema.Field, row reflect.Value, value any) error {
	if value == nil {
		return put(ctx, field, row, models.County{}, true)
	}
	id, ok := value.(int64)
	if !ok {
		return unexpected(field, value, "smallint")
	}
	to, ok := reflect.TypeAssert[**models.County](field.ReflectValueOf(ctx, row).Addr())
	if !ok {
		return fmt.Errorf("field %s of column %s is not a *models.County", field.Name, field.DBName)
	}
	if id < 0 || id > math.MaxInt16 || c.all.ByID(int16(id)) == nil {
		return fmt.Errorf("column %s: no county has the number %d", field.DBName, id)
	}
	*to = c.all.ByID(int16(id))
	return nil
}

// Value returns the number of the county, or null.
func (county) Value(_ context.Context, field *schema.Field, _ reflect.Value, value any) (any, error) {
	k, ok, err := take[models.County](field, value)
	if err != nil || !ok {
		return nil, err
	}
	return int64(k.ID), nil
}

// instant reads an instant in one zone and writes it in UTC.
type instant struct{ zone *time.Location }

// Scan converts to the zone.
func (i instant) Scan(ctx context.Context, field *schema.Field, row reflect.Value, value any) error {
	if value == nil {
		return put(ctx, field, row, time.Time{}, true)
	}
	t, ok := value.(time.Time)
	if !ok {
		return unexpected(field, value, "timestamptz")
	}
	return put(ctx, field, row, t.In(i.zone), false)
}

// Value returns the instant in UTC, or null.
func (instant) Value(_ context.Context, field *schema.Field, _ reflect.Value, value any) (any, error) {
	t, ok, err := take[time.Time](field, value)
	if err != nil || !ok {
		return nil, err
	}
	return t.UTC(), nil
}

// date reads a calendar day without a zone.
type date struct{}

// Scan takes the day of a date column, which pgx returns as midnight in UTC.
func (date) Scan(ctx context.Context, field *schema.Field, row reflect.Value, value any) error {
	if value == nil {
		return put(ctx, field, row, models.Date{}, true)
	}
	t, ok := value.(time.Time)
	if !ok {
		return unexpected(field, value, "date")
	}
	return put(ctx, field, row, models.DateOf(t), false)
}

// Value returns midnight of the day in UTC, or null.
func (date) Value(_ context.Context, field *schema.Field, _ reflect.Value, value any) (any, error) {
	d, ok, err := take[models.Date](field, value)
	if err != nil || !ok {
		return nil, err
	}
	return d.In(time.UTC), nil
}

// list is a slice of strings of any name, as []models.EventKind. A pgtype.Map is costly to make and serves one goroutine
// at a time, so they are pooled.
type list struct{ maps *sync.Pool }

// Scan parses the text form of an array into the field's own slice type. Null is an empty list.
func (l list) Scan(ctx context.Context, field *schema.Field, row reflect.Value, value any) error {
	var words []string
	if value != nil {
		text, ok := value.(string)
		if !ok {
			return unexpected(field, value, "text[]")
		}
		types, _ := l.maps.Get().(*pgtype.Map)
		defer l.maps.Put(types)
		if err := types.Scan(pgtype.TextArrayOID, pgtype.TextFormatCode, []byte(text), &words); err != nil {
			return fmt.Errorf("column %s: %w", field.DBName, err)
		}
	}
	if field.FieldType.Kind() != reflect.Slice || field.FieldType.Elem().Kind() != reflect.String {
		return fmt.Errorf("field %s of column %s is a %s, not a slice of strings", field.Name, field.DBName, field.FieldType)
	}
	out := reflect.MakeSlice(field.FieldType, len(words), len(words))
	for i, w := range words {
		out.Index(i).SetString(w)
	}
	field.ReflectValueOf(ctx, row).Set(out)
	return nil
}

// Value returns the texts; a nil list is an empty array.
func (list) Value(_ context.Context, field *schema.Field, _ reflect.Value, value any) (any, error) {
	v := reflect.ValueOf(value)
	if v.Kind() != reflect.Slice || v.Type().Elem().Kind() != reflect.String {
		return nil, fmt.Errorf("field %s of column %s holds a %T, not a slice of strings", field.Name, field.DBName, value)
	}
	words := make([]string, v.Len())
	for i := range words {
		words[i] = v.Index(i).String()
	}
	return words, nil
}
