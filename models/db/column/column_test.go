package column_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5/stdlib"
	"github.com/stretchr/testify/require"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/db/column"
)

type row struct {
	ID        int
	County    *models.County     `gorm:"column:county_id;serializer:county"`
	At        time.Time          `gorm:"serializer:georgia"`
	MaybeAt   *time.Time         `gorm:"serializer:georgia"`
	Noted     time.Time          `gorm:"serializer:utc"`
	Day       models.Date        `gorm:"serializer:date"`
	MaybeDay  *models.Date       `gorm:"serializer:date"`
	Words     []string           `gorm:"serializer:list"`
	MaybeKind []models.EventKind `gorm:"serializer:list"`
}

func setup(t *testing.T) *gorm.DB {
	t.Helper()
	base := testdb.New(t)
	_, err := base.Pool.Exec(t.Context(), `create table rows (id int primary key, county_id smallint, at timestamptz, maybe_at timestamptz,
		noted timestamptz, day date, maybe_day date, words text[], maybe_kind text[])`)
	require.NoError(t, err)
	column.Register(models.CountiesOf([]*models.County{{ID: 1, Slug: "appling"}, {ID: 121, Slug: "fulton"}}))
	db, err := gorm.Open(postgres.New(postgres.Config{Conn: stdlib.OpenDBFromPool(base.Pool)}), &gorm.Config{Logger: logger.Discard})
	require.NoError(t, err)
	return db
}

func TestColumnsComeBackAsTheyWereWritten(t *testing.T) {
	t.Parallel()
	db := setup(t)
	at := time.Date(2026, 7, 4, 21, 30, 0, 0, models.Georgia)
	day := models.Date{Year: 1901, Month: time.February, Day: 28}
	full := row{
		ID: 1, County: &models.County{ID: 121, Slug: "fulton"}, At: at, MaybeAt: &at, Noted: at.UTC(), Day: day, MaybeDay: &day,
		Words: []string{"a", `with "quotes", {braces} and \`, "", "NULL"}, MaybeKind: []models.EventKind{models.EventRelease},
	}
	empty := row{ID: 2, At: at, Noted: at.UTC(), Day: day, Words: []string{}, MaybeKind: []models.EventKind{}}
	require.NoError(t, db.Create([]row{full, empty}).Error)

	var got []row
	require.NoError(t, db.Order("id").Find(&got).Error)
	require.Equal(t, []row{full, empty}, got)
	require.Equal(t, models.Georgia, got[0].At.Location())
	require.Equal(t, time.UTC, got[0].Noted.Location())

	var kinds string
	require.NoError(t, db.Raw(`select maybe_kind::text from rows where id = 1`).Scan(&kinds).Error)
	require.Equal(t, "{release}", kinds)
}

func TestColumnsAreUpdated(t *testing.T) {
	t.Parallel()
	db := setup(t)
	at := time.Date(2026, 1, 4, 21, 30, 0, 0, models.Georgia)
	r := row{ID: 1, At: at, Noted: at, Day: models.DateOf(at)}
	require.NoError(t, db.Create(&r).Error)
	r.County, r.Words = &models.County{ID: 1, Slug: "appling"}, []string{"one", "two"}
	require.NoError(t, db.Model(&r).Select("County", "Words").Updates(&r).Error)

	var got row
	require.NoError(t, db.Take(&got).Error)
	require.Equal(t, r.County, got.County)
	require.Equal(t, []string{"one", "two"}, got.Words)
}

func TestANullWhereAValueMustBeIsAnError(t *testing.T) {
	t.Parallel()
	db := setup(t)
	require.NoError(t, db.Exec(`insert into rows (id, at, noted, words) values (1, now(), now(), null)`).Error)
	var got row
	require.ErrorContains(t, db.Take(&got).Error, "column day is null")
}

func TestANumberOfNoCountyIsAnError(t *testing.T) {
	t.Parallel()
	db := setup(t)
	require.NoError(t, db.Exec(`insert into rows (id, county_id, at, noted, day) values (1, 2, now(), now(), now())`).Error)
	var got row
	require.ErrorContains(t, db.Take(&got).Error, "no county has the number 2")
}

func TestAnArrayIsOneArgument(t *testing.T) {
	t.Parallel()
	db := setup(t)
	at := time.Date(2026, 1, 4, 21, 30, 0, 0, models.Georgia)
	for id := 1; id <= 3; id++ {
		require.NoError(t, db.Create(&row{ID: id, At: at, Noted: at, Day: models.DateOf(at)}).Error)
	}
	for _, c := range []struct {
		keys column.Array[int64]
		want []int
	}{{column.Array[int64]{3, 1, 9}, []int{1, 3}}, {column.Array[int64]{}, nil}, {nil, nil}} {
		var got []int
		require.NoError(t, db.Model(&row{}).Where("id = any (?)", c.keys).Order("id").Pluck("id", &got).Error)
		require.ElementsMatch(t, c.want, got)
	}
}
