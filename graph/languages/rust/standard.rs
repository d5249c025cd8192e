// What the standard library gives back, as far as linking needs it to follow types: declarations only, simplified.
// References are transparent here, every iterator adapter is `iter::Adapter`, and type parameters that change nothing about
// what a method gives (allocators, hashers) are left out.

pub mod primitive {
    pub struct bool; pub struct char; pub struct u8; pub struct u16; pub struct u32; pub struct u64; pub struct u128;
    pub struct usize; pub struct i8; pub struct i16; pub struct i32; pub struct i64; pub struct i128; pub struct isize;
    pub struct f16; pub struct f32; pub struct f64; pub struct f128; pub struct integer; pub struct float; pub struct unit;
    pub struct str; pub struct slice<T>; pub struct pointer<T>;

    impl bool {
        fn then<T, F: FnOnce() -> T>(self, f: F) -> Option<T>;
        fn then_some<T>(self, t: T) -> Option<T>;
    }
    impl str {
        fn len(&self) -> usize; fn is_empty(&self) -> bool; fn is_char_boundary(&self, index: usize) -> bool;
        fn as_bytes(&self) -> &[u8]; fn as_ptr(&self) -> *const u8; fn chars(&self) -> Chars;
        fn char_indices(&self) -> CharIndices; fn bytes(&self) -> Adapter<u8>;
        fn lines(&self) -> Lines; fn split_whitespace(&self) -> Split; fn split_ascii_whitespace(&self) -> Split;
        fn split<P>(&self, p: P) -> Split; fn rsplit<P>(&self, p: P) -> Split; fn splitn<P>(&self, n: usize, p: P) -> Split;
        fn rsplitn<P>(&self, n: usize, p: P) -> Split; fn split_terminator<P>(&self, p: P) -> Split;
        fn split_inclusive<P>(&self, p: P) -> Split; fn matches<P>(&self, p: P) -> Split;
        fn match_indices<P>(&self, p: P) -> Adapter<(usize, &str)>;
        fn split_once<P>(&self, p: P) -> Option<(&str, &str)>; fn rsplit_once<P>(&self, p: P) -> Option<(&str, &str)>;
        fn split_at(&self, mid: usize) -> (&str, &str); fn contains<P>(&self, p: P) -> bool;
        fn starts_with<P>(&self, p: P) -> bool; fn ends_with<P>(&self, p: P) -> bool;
        fn find<P>(&self, p: P) -> Option<usize>; fn rfind<P>(&self, p: P) -> Option<usize>;
        fn trim(&self) -> &str; fn trim_start(&self) -> &str; fn trim_end(&self) -> &str; fn trim_matches<P>(&self, p: P) -> &str;
        fn trim_start_matches<P>(&self, p: P) -> &str; fn trim_end_matches<P>(&self, p: P) -> &str;
        fn trim_left(&self) -> &str; fn trim_right(&self) -> &str;
        fn strip_prefix<P>(&self, p: P) -> Option<&str>; fn strip_suffix<P>(&self, p: P) -> Option<&str>;
        fn parse<F: crate::str::FromStr>(&self) -> Result<F, F::Err>;
        fn replace<P>(&self, from: P, to: &str) -> String; fn replacen<P>(&self, from: P, to: &str, n: usize) -> String;
        fn to_lowercase(&self) -> String; fn to_uppercase(&self) -> String; fn to_ascii_lowercase(&self) -> String;
        fn to_ascii_uppercase(&self) -> String; fn repeat(&self, n: usize) -> String; fn eq_ignore_ascii_case(&self, o: &str) -> bool;
        fn get<I>(&self, i: I) -> Option<&str>; fn is_ascii(&self) -> bool; fn into_string(self) -> String;
        fn into_boxed_str(self) -> Box<str>; fn encode_utf16(&self) -> Adapter<u16>; fn escape_debug(&self) -> Adapter<char>;
        fn escape_default(&self) -> Adapter<char>; fn as_str(&self) -> &str;
    }
    impl char {
        fn is_alphabetic(self) -> bool; fn is_numeric(self) -> bool; fn is_alphanumeric(self) -> bool; fn is_whitespace(self) -> bool;
        fn len_utf8(self) -> usize; fn to_digit(self, radix: u32) -> Option<u32>; fn is_ascii_digit(&self) -> bool;
        fn to_ascii_lowercase(&self) -> char; fn to_ascii_uppercase(&self) -> char; fn to_lowercase(self) -> Adapter<char>;
        fn to_uppercase(self) -> Adapter<char>; fn encode_utf8(self, b: &mut [u8]) -> &mut str; fn from_u32(i: u32) -> Option<char>;
        fn from_digit(n: u32, r: u32) -> Option<char>;
    }
    impl<T> slice<T> {
        fn len(&self) -> usize; fn is_empty(&self) -> bool; fn first(&self) -> Option<&T>; fn last(&self) -> Option<&T>;
        fn first_mut(&mut self) -> Option<&mut T>; fn last_mut(&mut self) -> Option<&mut T>;
        fn split_first(&self) -> Option<(&T, &[T])>; fn split_last(&self) -> Option<(&T, &[T])>;
        fn split_first_mut(&mut self) -> Option<(&mut T, &mut [T])>; fn split_last_mut(&mut self) -> Option<(&mut T, &mut [T])>;
        fn get<I>(&self, i: I) -> Option<&T>; fn get_mut<I>(&mut self, i: I) -> Option<&mut T>;
        fn get_unchecked<I>(&self, i: I) -> &T; fn get_unchecked_mut<I>(&mut self, i: I) -> &mut T;
        fn iter(&self) -> crate::slice::Iter<T>; fn iter_mut(&mut self) -> crate::slice::Iter<T>; fn swap(&mut self, a: usize, b: usize);
        fn reverse(&mut self); fn windows(&self, n: usize) -> Adapter<&[T]>; fn chunks(&self, n: usize) -> Adapter<&[T]>;
        fn chunks_mut(&mut self, n: usize) -> Adapter<&mut [T]>; fn chunks_exact(&self, n: usize) -> Adapter<&[T]>;
        fn rchunks(&self, n: usize) -> Adapter<&[T]>; fn split<F: FnMut(&T) -> bool>(&self, f: F) -> Adapter<&[T]>;
        fn splitn<F: FnMut(&T) -> bool>(&self, n: usize, f: F) -> Adapter<&[T]>;
        fn split_at(&self, n: usize) -> (&[T], &[T]); fn split_at_mut(&mut self, n: usize) -> (&mut [T], &mut [T]);
        fn contains(&self, x: &T) -> bool; fn starts_with(&self, n: &[T]) -> bool; fn ends_with(&self, n: &[T]) -> bool;
        fn binary_search(&self, x: &T) -> Result<usize, usize>;
        fn binary_search_by<F: FnMut(&T) -> Ordering>(&self, f: F) -> Result<usize, usize>;
        fn binary_search_by_key<B, F: FnMut(&T) -> B>(&self, b: &B, f: F) -> Result<usize, usize>;
        fn partition_point<F: FnMut(&T) -> bool>(&self, f: F) -> usize;
        fn sort(&mut self); fn sort_by<F: FnMut(&T, &T) -> Ordering>(&mut self, f: F); fn sort_by_key<K, F: FnMut(&T) -> K>(&mut self, f: F);
        fn sort_by_cached_key<K, F: FnMut(&T) -> K>(&mut self, f: F);
        fn sort_unstable(&mut self); fn sort_unstable_by<F: FnMut(&T, &T) -> Ordering>(&mut self, f: F);
        fn sort_unstable_by_key<K, F: FnMut(&T) -> K>(&mut self, f: F); fn to_vec(&self) -> Vec<T>; fn into_vec(self) -> Vec<T>;
        fn concat(&self) -> T; fn join<S>(&self, s: S) -> String; fn fill(&mut self, v: T); fn copy_from_slice(&mut self, s: &[T]);
        fn clone_from_slice(&mut self, s: &[T]); fn as_ptr(&self) -> *const T; fn as_mut_ptr(&mut self) -> *mut T;
        fn as_slice(&self) -> &[T]; fn map<U, F: FnMut(T) -> U>(self, f: F) -> [U; 1]; fn is_ascii(&self) -> bool;
        fn repeat(&self, n: usize) -> Vec<T>; fn rotate_left(&mut self, n: usize); fn rotate_right(&mut self, n: usize);
        fn to_ascii_lowercase(&self) -> Vec<u8>; fn chunk_by<F: FnMut(&T, &T) -> bool>(&self, f: F) -> Adapter<&[T]>;
        fn select_nth_unstable(&mut self, n: usize) -> (&mut [T], &mut T, &mut [T]);
    }
    impl<T> pointer<T> {
        fn is_null(self) -> bool; fn cast<U>(self) -> *const U; fn add(self, n: usize) -> *const T; fn sub(self, n: usize) -> *const T;
        fn offset(self, n: isize) -> *const T; fn as_ref(self) -> Option<&T>; fn as_mut(self) -> Option<&mut T>; fn read(self) -> T;
        fn write(self, v: T); fn offset_from(self, o: *const T) -> isize; fn read_volatile(self) -> T; fn cast_mut(self) -> *mut T;
        fn cast_const(self) -> *const T; fn wrapping_add(self, n: usize) -> *const T; fn addr(self) -> usize;
    }
    impl<T> Deref for pointer<T> { type Target = T; }
    impl<T: Clone> Clone for slice<T> {} impl Clone for str {}
    impl<T, I> crate::ops::Index<I> for slice<T> { type Output = T; }
    impl<I> crate::ops::Index<I> for str { type Output = str; }
    impl<T> IntoIterator for slice<T> { type Item = T; type IntoIter = crate::slice::Iter<T>; }
    use crate::cmp::Ordering; use crate::iter::Adapter; use crate::ops::Deref; use crate::str::{Chars, CharIndices, Lines, Split};
}

pub mod option {
    pub enum Option<T> { None, Some(T) }
    use crate::ops::Deref;
    impl<T> Option<T> {
        pub fn is_some(&self) -> bool; pub fn is_none(&self) -> bool; pub fn is_some_and<F: FnOnce(T) -> bool>(self, f: F) -> bool;
        pub fn is_none_or<F: FnOnce(T) -> bool>(self, f: F) -> bool;
        pub fn as_ref(&self) -> Option<&T>; pub fn as_mut(&mut self) -> Option<&mut T>; pub fn as_pin_ref(&self) -> Option<&T>;
        pub fn as_pin_mut(&mut self) -> Option<crate::pin::Pin<&mut T>>; pub fn as_slice(&self) -> &[T];
        pub fn expect(self, m: &str) -> T; pub fn unwrap(self) -> T; pub fn unwrap_or(self, d: T) -> T;
        pub fn unwrap_or_else<F: FnOnce() -> T>(self, f: F) -> T; pub fn unwrap_or_default(self) -> T; pub fn unwrap_unchecked(self) -> T;
        pub fn map<U, F: FnOnce(T) -> U>(self, f: F) -> Option<U>; pub fn inspect<F: FnOnce(&T)>(self, f: F) -> Option<T>;
        pub fn map_or<U, F: FnOnce(T) -> U>(self, d: U, f: F) -> U;
        pub fn map_or_else<U, D: FnOnce() -> U, F: FnOnce(T) -> U>(self, d: D, f: F) -> U;
        pub fn ok_or<E>(self, e: E) -> Result<T, E>; pub fn ok_or_else<E, F: FnOnce() -> E>(self, f: F) -> Result<T, E>;
        pub fn as_deref(&self) -> Option<<T as Deref>::Target>; pub fn as_deref_mut(&mut self) -> Option<<T as Deref>::Target>;
        pub fn iter(&self) -> crate::iter::Adapter<T>; pub fn iter_mut(&mut self) -> crate::iter::Adapter<T>;
        pub fn and<U>(self, o: Option<U>) -> Option<U>; pub fn and_then<U, F: FnOnce(T) -> Option<U>>(self, f: F) -> Option<U>;
        pub fn filter<P: FnOnce(&T) -> bool>(self, p: P) -> Option<T>; pub fn or(self, o: Option<T>) -> Option<T>;
        pub fn or_else<F: FnOnce() -> Option<T>>(self, f: F) -> Option<T>; pub fn xor(self, o: Option<T>) -> Option<T>;
        pub fn insert(&mut self, v: T) -> &mut T; pub fn get_or_insert(&mut self, v: T) -> &mut T;
        pub fn get_or_insert_with<F: FnOnce() -> T>(&mut self, f: F) -> &mut T; pub fn get_or_insert_default(&mut self) -> &mut T;
        pub fn take(&mut self) -> Option<T>; pub fn take_if<P: FnOnce(&mut T) -> bool>(&mut self, p: P) -> Option<T>;
        pub fn replace(&mut self, v: T) -> Option<T>; pub fn zip<U>(self, o: Option<U>) -> Option<(T, U)>;
        pub fn copied(self) -> Option<T>; pub fn cloned(self) -> Option<T>; pub fn flatten(self) -> T; pub fn transpose(self) -> Transposed<T>;
        pub fn unzip<A, B>(self) -> (Option<A>, Option<B>);
    }
    pub struct Transposed<T>;
    impl<T: Clone> Clone for Option<T> {} impl<T> Default for Option<T> {} impl<T: PartialEq> PartialEq for Option<T> {} impl<T: Ord> Ord for Option<T> {}
    impl<T> IntoIterator for Option<T> { type Item = T; type IntoIter = crate::iter::Adapter<T>; }
}

pub mod result {
    pub enum Result<T, E> { Ok(T), Err(E) }
    use crate::ops::Deref;
    impl<T, E> Result<T, E> {
        pub fn is_ok(&self) -> bool; pub fn is_err(&self) -> bool; pub fn is_ok_and<F: FnOnce(T) -> bool>(self, f: F) -> bool;
        pub fn is_err_and<F: FnOnce(E) -> bool>(self, f: F) -> bool; pub fn ok(self) -> Option<T>; pub fn err(self) -> Option<E>;
        pub fn as_ref(&self) -> Result<&T, &E>; pub fn as_mut(&mut self) -> Result<&mut T, &mut E>;
        pub fn map<U, F: FnOnce(T) -> U>(self, f: F) -> Result<U, E>; pub fn map_or<U, F: FnOnce(T) -> U>(self, d: U, f: F) -> U;
        pub fn map_or_else<U, D: FnOnce(E) -> U, F: FnOnce(T) -> U>(self, d: D, f: F) -> U;
        pub fn map_err<F, O: FnOnce(E) -> F>(self, o: O) -> Result<T, F>; pub fn inspect<F: FnOnce(&T)>(self, f: F) -> Result<T, E>;
        pub fn inspect_err<F: FnOnce(&E)>(self, f: F) -> Result<T, E>; pub fn iter(&self) -> crate::iter::Adapter<T>;
        pub fn as_deref(&self) -> Result<<T as Deref>::Target, E>;
        pub fn expect(self, m: &str) -> T; pub fn unwrap(self) -> T; pub fn unwrap_or_default(self) -> T; pub fn expect_err(self, m: &str) -> E;
        pub fn unwrap_err(self) -> E; pub fn and<U>(self, o: Result<U, E>) -> Result<U, E>;
        pub fn and_then<U, F: FnOnce(T) -> Result<U, E>>(self, f: F) -> Result<U, E>; pub fn or<F>(self, o: Result<T, F>) -> Result<T, F>;
        pub fn or_else<F, O: FnOnce(E) -> Result<T, F>>(self, o: O) -> Result<T, F>; pub fn unwrap_or(self, d: T) -> T;
        pub fn unwrap_or_else<F: FnOnce(E) -> T>(self, f: F) -> T; pub fn copied(self) -> Result<T, E>; pub fn cloned(self) -> Result<T, E>;
        pub fn flatten(self) -> T; pub fn transpose(self) -> crate::option::Transposed<T>;
    }
    impl<T: Clone, E: Clone> Clone for Result<T, E> {}
    impl<T, E> IntoIterator for Result<T, E> { type Item = T; type IntoIter = crate::iter::Adapter<T>; }
}

pub mod clone { pub trait Clone { fn clone(&self) -> Self; fn clone_from(&mut self, s: &Self); } }
pub mod default { pub trait Default { fn default() -> Self; } }
pub mod marker {
    pub trait Copy: Clone {} pub trait Send {} pub trait Sync {} pub trait Sized {} pub trait Unpin {}
    pub struct PhantomData<T>; pub struct PhantomPinned;
}
pub mod any {
    pub trait Any { fn type_id(&self) -> TypeId; } pub struct TypeId; pub fn type_name<T>() -> &str;
    impl dyn Any { fn is<T>(&self) -> bool; fn downcast_ref<T>(&self) -> Option<&T>; fn downcast_mut<T>(&mut self) -> Option<&mut T>; }
    impl TypeId { pub fn of<T>() -> TypeId; }
}
pub mod borrow {
    pub trait Borrow<B> { fn borrow(&self) -> &B; } pub trait BorrowMut<B>: Borrow<B> { fn borrow_mut(&mut self) -> &mut B; }
    pub trait ToOwned { type Owned; fn to_owned(&self) -> Self::Owned; fn clone_into(&self, o: &mut Self::Owned); }
    impl ToOwned for str { type Owned = String; }
    impl<T> ToOwned for [T] { type Owned = Vec<T>; }
    impl ToOwned for crate::path::Path { type Owned = crate::path::PathBuf; }
    impl ToOwned for crate::ffi::OsStr { type Owned = crate::ffi::OsString; }
    impl ToOwned for crate::ffi::CStr { type Owned = crate::ffi::CString; }
    impl<T: Clone> ToOwned for T { type Owned = T; }
    pub enum Cow<B> { Borrowed(B), Owned(B) }
    impl<B: ToOwned> Cow<B> { pub fn into_owned(self) -> B::Owned; pub fn to_mut(&mut self) -> &mut B::Owned; pub fn is_borrowed(&self) -> bool; pub fn is_owned(&self) -> bool; }
    impl<B> crate::ops::Deref for Cow<B> { type Target = B; }
    impl<B> Clone for Cow<B> {}
}
pub mod convert {
    pub trait From<T> { fn from(v: T) -> Self; } pub trait Into<T> { fn into(self) -> T; }
    pub trait TryFrom<T> { type Error; fn try_from(v: T) -> Result<Self, Self::Error>; }
    pub trait TryInto<T> { type Error; fn try_into(self) -> Result<T, Self::Error>; }
    pub trait AsRef<T> { fn as_ref(&self) -> &T; } pub trait AsMut<T> { fn as_mut(&mut self) -> &mut T; }
    impl<T, U> Into<U> for T {} impl<T, U> TryInto<U> for T {}
    pub enum Infallible {} pub fn identity<T>(x: T) -> T;
}
pub mod cmp {
    pub enum Ordering { Less, Equal, Greater }
    impl Ordering {
        pub fn is_eq(self) -> bool; pub fn is_lt(self) -> bool; pub fn is_gt(self) -> bool; pub fn is_ne(self) -> bool; pub fn is_le(self) -> bool;
        pub fn is_ge(self) -> bool; pub fn reverse(self) -> Ordering; pub fn then(self, o: Ordering) -> Ordering;
        pub fn then_with<F: FnOnce() -> Ordering>(self, f: F) -> Ordering;
    }
    pub trait PartialEq<R> { fn eq(&self, o: &R) -> bool; fn ne(&self, o: &R) -> bool; } pub trait Eq: PartialEq {}
    pub trait PartialOrd<R>: PartialEq<R> { fn partial_cmp(&self, o: &R) -> Option<Ordering>; fn lt(&self, o: &R) -> bool; fn le(&self, o: &R) -> bool; fn gt(&self, o: &R) -> bool; fn ge(&self, o: &R) -> bool; }
    pub trait Ord: Eq + PartialOrd { fn cmp(&self, o: &Self) -> Ordering; fn max(self, o: Self) -> Self; fn min(self, o: Self) -> Self; fn clamp(self, a: Self, b: Self) -> Self; }
    pub struct Reverse<T>(pub T); pub fn max<T>(a: T, b: T) -> T; pub fn min<T>(a: T, b: T) -> T;
}
pub mod ops {
    pub trait Deref { type Target; fn deref(&self) -> &Self::Target; } pub trait DerefMut: Deref { fn deref_mut(&mut self) -> &mut Self::Target; }
    pub trait Drop { fn drop(&mut self); } pub trait FnOnce<A> { type Output; } pub trait FnMut<A>: FnOnce<A> {} pub trait Fn<A>: FnMut<A> {}
    pub trait AsyncFn<A>: Fn<A> {}
    pub trait Index<I> { type Output; fn index(&self, i: I) -> &Self::Output; } pub trait IndexMut<I>: Index<I> { fn index_mut(&mut self, i: I) -> &mut Self::Output; }
    pub trait Add<R> { type Output; fn add(self, r: R) -> Self::Output; } pub trait Sub<R> { type Output; fn sub(self, r: R) -> Self::Output; }
    pub trait Mul<R> { type Output; fn mul(self, r: R) -> Self::Output; } pub trait Div<R> { type Output; fn div(self, r: R) -> Self::Output; }
    pub trait Rem<R> { type Output; fn rem(self, r: R) -> Self::Output; } pub trait Neg { type Output; fn neg(self) -> Self::Output; }
    pub trait Not { type Output; fn not(self) -> Self::Output; } pub trait BitAnd<R> { type Output; fn bitand(self, r: R) -> Self::Output; }
    pub trait BitOr<R> { type Output; fn bitor(self, r: R) -> Self::Output; } pub trait BitXor<R> { type Output; fn bitxor(self, r: R) -> Self::Output; }
    pub trait Shl<R> { type Output; fn shl(self, r: R) -> Self::Output; } pub trait Shr<R> { type Output; fn shr(self, r: R) -> Self::Output; }
    pub trait AddAssign<R> { fn add_assign(&mut self, r: R); } pub trait SubAssign<R> { fn sub_assign(&mut self, r: R); } pub trait MulAssign<R> {}
    pub trait BitOrAssign<R> { fn bitor_assign(&mut self, r: R); } pub trait BitAndAssign<R> { fn bitand_assign(&mut self, r: R); } pub trait DivAssign<R> {}
    pub trait RangeBounds<T> { fn start_bound(&self) -> Bound<&T>; fn end_bound(&self) -> Bound<&T>; fn contains(&self, x: &T) -> bool; }
    pub struct Range<T> { pub start: T, pub end: T } pub struct RangeInclusive<T>; pub struct RangeFrom<T> { pub start: T } pub struct RangeTo<T> { pub end: T }
    pub struct RangeFull; pub struct RangeToInclusive<T> { pub end: T }
    impl<T> Range<T> { pub fn contains(&self, x: &T) -> bool; pub fn is_empty(&self) -> bool; } impl<T> Iterator for Range<T> { type Item = T; }
    impl<T> RangeInclusive<T> { pub fn new(a: T, b: T) -> RangeInclusive<T>; pub fn start(&self) -> &T; pub fn end(&self) -> &T; pub fn contains(&self, x: &T) -> bool; }
    impl<T> Iterator for RangeInclusive<T> { type Item = T; } impl<T> RangeBounds<T> for Range<T> {} impl<T> Clone for Range<T> {}
    pub enum Bound<T> { Included(T), Excluded(T), Unbounded }
    pub enum ControlFlow<B, C> { Continue(C), Break(B) }
    impl<B, C> ControlFlow<B, C> { pub fn is_break(&self) -> bool; pub fn is_continue(&self) -> bool; pub fn break_value(self) -> Option<B>; }
}
pub mod iter {
    pub struct Adapter<T>; impl<T> Iterator for Adapter<T> { type Item = T; } impl<T> DoubleEndedIterator for Adapter<T> {} impl<T> ExactSizeIterator for Adapter<T> {}
    pub struct Peekable<T>; impl<T> Iterator for Peekable<T> { type Item = T; } impl<T> Clone for Adapter<T> {} impl<T> Clone for Peekable<T> {}
    impl<T> Peekable<T> { pub fn peek(&mut self) -> Option<&T>; pub fn peek_mut(&mut self) -> Option<&mut T>; pub fn next_if<F: FnOnce(&T) -> bool>(&mut self, f: F) -> Option<T>; pub fn next_if_eq<R>(&mut self, r: &R) -> Option<T>; }
    pub trait Iterator {
        type Item;
        fn next(&mut self) -> Option<Self::Item>; fn size_hint(&self) -> (usize, Option<usize>); fn count(self) -> usize; fn last(self) -> Option<Self::Item>;
        fn nth(&mut self, n: usize) -> Option<Self::Item>; fn step_by(self, n: usize) -> Adapter<Self::Item>;
        fn chain<U: IntoIterator<Item = Self::Item>>(self, o: U) -> Adapter<Self::Item>; fn zip<U: IntoIterator>(self, o: U) -> Adapter<(Self::Item, U::Item)>;
        fn map<B, F: FnMut(Self::Item) -> B>(self, f: F) -> Adapter<B>; fn for_each<F: FnMut(Self::Item)>(self, f: F);
        fn filter<P: FnMut(&Self::Item) -> bool>(self, p: P) -> Adapter<Self::Item>; fn filter_map<B, F: FnMut(Self::Item) -> Option<B>>(self, f: F) -> Adapter<B>;
        fn enumerate(self) -> Adapter<(usize, Self::Item)>; fn peekable(self) -> Peekable<Self::Item>; fn skip_while<P: FnMut(&Self::Item) -> bool>(self, p: P) -> Adapter<Self::Item>;
        fn take_while<P: FnMut(&Self::Item) -> bool>(self, p: P) -> Adapter<Self::Item>; fn map_while<B, P: FnMut(Self::Item) -> Option<B>>(self, p: P) -> Adapter<B>;
        fn skip(self, n: usize) -> Adapter<Self::Item>; fn take(self, n: usize) -> Adapter<Self::Item>; fn scan<S, B, F: FnMut(&mut S, Self::Item) -> Option<B>>(self, s: S, f: F) -> Adapter<B>;
        fn flat_map<U: IntoIterator, F: FnMut(Self::Item) -> U>(self, f: F) -> Adapter<U::Item>; fn flatten(self) -> Adapter<<Self::Item as IntoIterator>::Item>;
        fn fuse(self) -> Adapter<Self::Item>; fn inspect<F: FnMut(&Self::Item)>(self, f: F) -> Adapter<Self::Item>; fn by_ref(&mut self) -> &mut Self; fn collect<B>(self) -> B;
        fn partition<B, F: FnMut(&Self::Item) -> bool>(self, f: F) -> (B, B); fn fold<B, F: FnMut(B, Self::Item) -> B>(self, i: B, f: F) -> B;
        fn try_fold<B, F: FnMut(B, Self::Item) -> R, R>(&mut self, i: B, f: F) -> R; fn try_for_each<F: FnMut(Self::Item) -> R, R>(&mut self, f: F) -> R;
        fn reduce<F: FnMut(Self::Item, Self::Item) -> Self::Item>(self, f: F) -> Option<Self::Item>; fn all<F: FnMut(Self::Item) -> bool>(&mut self, f: F) -> bool;
        fn any<F: FnMut(Self::Item) -> bool>(&mut self, f: F) -> bool; fn find<P: FnMut(&Self::Item) -> bool>(&mut self, p: P) -> Option<Self::Item>;
        fn find_map<B, F: FnMut(Self::Item) -> Option<B>>(&mut self, f: F) -> Option<B>; fn position<P: FnMut(Self::Item) -> bool>(&mut self, p: P) -> Option<usize>;
        fn rposition<P: FnMut(Self::Item) -> bool>(&mut self, p: P) -> Option<usize>; fn max(self) -> Option<Self::Item>; fn min(self) -> Option<Self::Item>;
        fn max_by_key<B, F: FnMut(&Self::Item) -> B>(self, f: F) -> Option<Self::Item>; fn max_by<F: FnMut(&Self::Item, &Self::Item) -> crate::cmp::Ordering>(self, f: F) -> Option<Self::Item>;
        fn min_by_key<B, F: FnMut(&Self::Item) -> B>(self, f: F) -> Option<Self::Item>; fn min_by<F: FnMut(&Self::Item, &Self::Item) -> crate::cmp::Ordering>(self, f: F) -> Option<Self::Item>;
        fn rev(self) -> Adapter<Self::Item>; fn unzip<A, B, FromA, FromB>(self) -> (FromA, FromB); fn copied(self) -> Adapter<Self::Item>; fn cloned(self) -> Adapter<Self::Item>;
        fn cycle(self) -> Adapter<Self::Item>; fn sum<S>(self) -> S; fn product<S>(self) -> S; fn eq<I>(self, o: I) -> bool; fn cmp<I>(self, o: I) -> crate::cmp::Ordering; fn is_sorted(self) -> bool;
    }
    pub trait DoubleEndedIterator: Iterator { fn next_back(&mut self) -> Option<Self::Item>; fn nth_back(&mut self, n: usize) -> Option<Self::Item>; fn rfold<B, F: FnMut(B, Self::Item) -> B>(self, i: B, f: F) -> B; fn rfind<P: FnMut(&Self::Item) -> bool>(&mut self, p: P) -> Option<Self::Item>; }
    pub trait ExactSizeIterator: Iterator { fn len(&self) -> usize; } pub trait FusedIterator: Iterator {}
    pub trait IntoIterator { type Item; type IntoIter; fn into_iter(self) -> Adapter<Self::Item>; }
    impl<I: Iterator> IntoIterator for I { type Item = I::Item; type IntoIter = I; fn into_iter(self) -> I; }
    pub trait FromIterator<A> { fn from_iter<T: IntoIterator<Item = A>>(i: T) -> Self; } pub trait Extend<A> { fn extend<T: IntoIterator<Item = A>>(&mut self, i: T); }
    pub trait Sum<A> {} pub trait Product<A> {}
    pub fn once<T>(v: T) -> Adapter<T>; pub fn empty<T>() -> Adapter<T>; pub fn repeat<T>(v: T) -> Adapter<T>; pub fn from_fn<T, F: FnMut() -> Option<T>>(f: F) -> Adapter<T>;
    pub fn successors<T, F: FnMut(&T) -> Option<T>>(first: Option<T>, f: F) -> Adapter<T>; pub fn zip<A: IntoIterator, B: IntoIterator>(a: A, b: B) -> Adapter<(A::Item, B::Item)>;
    pub fn repeat_with<T, F: FnMut() -> T>(f: F) -> Adapter<T>; pub fn repeat_n<T>(v: T, n: usize) -> Adapter<T>; pub fn once_with<T, F: FnOnce() -> T>(f: F) -> Adapter<T>;
}
pub mod slice {
    pub struct Iter<T>; impl<T> Iter<T> { pub fn as_slice(&self) -> &[T]; } impl<T> Iterator for Iter<T> { type Item = T; } impl<T> DoubleEndedIterator for Iter<T> {} impl<T> ExactSizeIterator for Iter<T> {} impl<T> Clone for Iter<T> {}
    pub use Iter as IterMut; pub fn from_ref<T>(t: &T) -> &[T]; pub fn from_raw_parts<T>(p: *const T, n: usize) -> &[T]; pub fn from_raw_parts_mut<T>(p: *mut T, n: usize) -> &mut [T];
}
pub mod str {
    pub trait FromStr { type Err; fn from_str(s: &str) -> Result<Self, Self::Err>; } pub struct Utf8Error; pub fn from_utf8(b: &[u8]) -> Result<&str, Utf8Error>; pub fn from_utf8_unchecked(b: &[u8]) -> &str;
    pub struct Chars; impl Iterator for Chars { type Item = char; } impl DoubleEndedIterator for Chars {} impl Chars { pub fn as_str(&self) -> &str; } impl Clone for Chars {}
    pub struct CharIndices; impl Iterator for CharIndices { type Item = (usize, char); } impl DoubleEndedIterator for CharIndices {} impl CharIndices { pub fn as_str(&self) -> &str; pub fn offset(&self) -> usize; } impl Clone for CharIndices {}
    pub struct Lines; impl Iterator for Lines { type Item = &str; } pub struct Split; impl Iterator for Split { type Item = &str; } impl DoubleEndedIterator for Split {}
    impl Utf8Error { pub fn valid_up_to(&self) -> usize; pub fn error_len(&self) -> Option<usize>; } pub use Split as SplitWhitespace;
}
pub mod vec {
    pub struct Vec<T>; use crate::iter::Adapter;
    impl<T> Vec<T> {
        pub fn new() -> Vec<T>; pub fn with_capacity(n: usize) -> Vec<T>; pub fn push(&mut self, v: T); pub fn pop(&mut self) -> Option<T>; pub fn insert(&mut self, i: usize, v: T);
        pub fn remove(&mut self, i: usize) -> T; pub fn swap_remove(&mut self, i: usize) -> T; pub fn truncate(&mut self, n: usize); pub fn clear(&mut self); pub fn as_slice(&self) -> &[T];
        pub fn as_mut_slice(&mut self) -> &mut [T]; pub fn drain<R>(&mut self, r: R) -> Adapter<T>; pub fn retain<F: FnMut(&T) -> bool>(&mut self, f: F); pub fn retain_mut<F: FnMut(&mut T) -> bool>(&mut self, f: F);
        pub fn append(&mut self, o: &mut Vec<T>); pub fn extend<I: IntoIterator<Item = T>>(&mut self, i: I); pub fn extend_from_slice(&mut self, o: &[T]); pub fn reserve(&mut self, n: usize); pub fn capacity(&self) -> usize;
        pub fn dedup(&mut self); pub fn dedup_by_key<K, F: FnMut(&mut T) -> K>(&mut self, f: F); pub fn dedup_by<F: FnMut(&mut T, &mut T) -> bool>(&mut self, f: F); pub fn into_boxed_slice(self) -> Box<[T]>;
        pub fn split_off(&mut self, n: usize) -> Vec<T>; pub fn resize(&mut self, n: usize, v: T); pub fn resize_with<F: FnMut() -> T>(&mut self, n: usize, f: F); pub fn splice<R, I>(&mut self, r: R, i: I) -> Adapter<T>;
        pub fn leak(self) -> &mut [T]; pub fn shrink_to_fit(&mut self); pub fn set_len(&mut self, n: usize); pub fn pop_if<F: FnOnce(&mut T) -> bool>(&mut self, f: F) -> Option<T>;
        pub fn extract_if<F: FnMut(&mut T) -> bool>(&mut self, f: F) -> Adapter<T>; pub fn from_raw_parts(p: *mut T, n: usize, c: usize) -> Vec<T>;
    }
    impl<T> crate::ops::Deref for Vec<T> { type Target = [T]; } impl<T> IntoIterator for Vec<T> { type Item = T; type IntoIter = IntoIter<T>; fn into_iter(self) -> IntoIter<T>; } impl<T> Clone for Vec<T> {} impl<T> Default for Vec<T> {}
    impl<T, I> crate::ops::Index<I> for Vec<T> { type Output = T; } impl<T> FromIterator<T> for Vec<T> {} impl<T> From<T> for Vec<T> {}
    pub struct IntoIter<T>; impl<T> Iterator for IntoIter<T> { type Item = T; } impl<T> DoubleEndedIterator for IntoIter<T> {} impl<T> ExactSizeIterator for IntoIter<T> {} impl<T> IntoIter<T> { pub fn as_slice(&self) -> &[T]; } pub use Adapter as Drain;
}
pub mod string {
    pub struct String; pub struct FromUtf8Error; pub trait ToString { fn to_string(&self) -> String; } impl<T> ToString for T {}
    impl String {
        pub fn new() -> String; pub fn with_capacity(n: usize) -> String; pub fn from_utf8(v: Vec<u8>) -> Result<String, FromUtf8Error>; pub fn from_utf8_lossy(v: &[u8]) -> crate::borrow::Cow<str>; pub fn from_utf8_unchecked(v: Vec<u8>) -> String;
        pub fn push(&mut self, c: char); pub fn push_str(&mut self, s: &str); pub fn pop(&mut self) -> Option<char>; pub fn as_str(&self) -> &str; pub fn into_bytes(self) -> Vec<u8>; pub fn clear(&mut self); pub fn truncate(&mut self, n: usize);
        pub fn insert(&mut self, i: usize, c: char); pub fn insert_str(&mut self, i: usize, s: &str); pub fn remove(&mut self, i: usize) -> char; pub fn drain<R>(&mut self, r: R) -> crate::iter::Adapter<char>; pub fn as_mut_vec(&mut self) -> &mut Vec<u8>;
        pub fn into_boxed_str(self) -> Box<str>; pub fn capacity(&self) -> usize; pub fn reserve(&mut self, n: usize); pub fn extend<I>(&mut self, i: I); pub fn as_mut_str(&mut self) -> &mut str; pub fn leak(self) -> &mut str; pub fn split_off(&mut self, n: usize) -> String;
        pub fn retain<F: FnMut(char) -> bool>(&mut self, f: F); pub fn replace_range<R>(&mut self, r: R, s: &str);
    }
    impl crate::ops::Deref for String { type Target = str; } impl Clone for String {} impl Default for String {} impl From<str> for String {} impl<I> crate::ops::Index<I> for String { type Output = str; } impl crate::str::FromStr for String { type Err = crate::convert::Infallible; }
    impl crate::fmt::Write for String {}
}
pub mod boxed {
    pub struct Box<T>; impl<T> Box<T> { pub fn new(v: T) -> Box<T>; pub fn pin(v: T) -> crate::pin::Pin<T>; pub fn leak(b: Box<T>) -> &mut T; pub fn into_raw(b: Box<T>) -> *mut T; pub fn from_raw(p: *mut T) -> Box<T>; pub fn into_inner(b: Box<T>) -> T; pub fn into_pin(b: Box<T>) -> crate::pin::Pin<T>; }
    impl<T: crate::fmt::Display> crate::fmt::Display for Box<T> {} impl<T: crate::fmt::Debug> crate::fmt::Debug for Box<T> {} impl<T: crate::error::Error> crate::error::Error for Box<T> {} impl<T: crate::hash::Hash> crate::hash::Hash for Box<T> {} impl<T: PartialEq> PartialEq for Box<T> {} impl<T: PartialOrd> PartialOrd for Box<T> {} impl<T: Ord> Ord for Box<T> {} impl<I: Iterator> Iterator for Box<I> { type Item = I::Item; } impl<T: crate::io::Read> crate::io::Read for Box<T> {} impl<T: crate::io::Write> crate::io::Write for Box<T> {} impl<T: crate::io::BufRead> crate::io::BufRead for Box<T> {}
    impl<T> crate::ops::Deref for Box<T> { type Target = T; } impl<T: Clone> Clone for Box<T> {} impl<T> From<T> for Box<T> {} impl<T> AsRef<T> for Box<T> { fn as_ref(&self) -> &T; } impl<T> AsMut<T> for Box<T> { fn as_mut(&mut self) -> &mut T; } impl<T: Default> Default for Box<T> {}
}
pub mod rc {
    pub struct Rc<T>; pub struct Weak<T>; impl<T> Weak<T> { pub fn new() -> Weak<T>; pub fn upgrade(&self) -> Option<Rc<T>>; } impl<T> Clone for Weak<T> {}
    impl<T> Rc<T> { pub fn new(v: T) -> Rc<T>; pub fn clone(r: &Rc<T>) -> Rc<T>; pub fn downgrade(r: &Rc<T>) -> Weak<T>; pub fn ptr_eq(a: &Rc<T>, b: &Rc<T>) -> bool; pub fn get_mut(r: &mut Rc<T>) -> Option<&mut T>; pub fn make_mut(r: &mut Rc<T>) -> &mut T; pub fn try_unwrap(r: Rc<T>) -> Result<T, Rc<T>>; pub fn strong_count(r: &Rc<T>) -> usize; pub fn as_ptr(r: &Rc<T>) -> *const T; pub fn unwrap_or_clone(r: Rc<T>) -> T; pub fn new_cyclic<F: FnOnce(&Weak<T>) -> T>(f: F) -> Rc<T>; }
    impl<T: crate::fmt::Display> crate::fmt::Display for Rc<T> {} impl<T: crate::fmt::Debug> crate::fmt::Debug for Rc<T> {} impl<T: crate::hash::Hash> crate::hash::Hash for Rc<T> {} impl<T: PartialEq> PartialEq for Rc<T> {} impl<T: PartialOrd> PartialOrd for Rc<T> {} impl<T: Ord> Ord for Rc<T> {} impl<T: Default> Default for Rc<T> {}
    impl<T> crate::ops::Deref for Rc<T> { type Target = T; } impl<T> Clone for Rc<T> {} impl<T> From<T> for Rc<T> {} impl<T> AsRef<T> for Rc<T> { fn as_ref(&self) -> &T; }
}
pub mod sync {
    pub struct Arc<T>; pub struct Weak<T>; impl<T> Weak<T> { pub fn new() -> Weak<T>; pub fn upgrade(&self) -> Option<Arc<T>>; pub fn strong_count(&self) -> usize; pub fn ptr_eq(&self, o: &Weak<T>) -> bool; } impl<T> Clone for Weak<T> {}
    impl<T> Arc<T> { pub fn new(v: T) -> Arc<T>; pub fn clone(r: &Arc<T>) -> Arc<T>; pub fn pin(v: T) -> crate::pin::Pin<T>; pub fn downgrade(r: &Arc<T>) -> Weak<T>; pub fn ptr_eq(a: &Arc<T>, b: &Arc<T>) -> bool; pub fn get_mut(r: &mut Arc<T>) -> Option<&mut T>; pub fn make_mut(r: &mut Arc<T>) -> &mut T; pub fn try_unwrap(r: Arc<T>) -> Result<T, Arc<T>>; pub fn strong_count(r: &Arc<T>) -> usize; pub fn as_ptr(r: &Arc<T>) -> *const T; pub fn into_raw(r: Arc<T>) -> *const T; pub fn from_raw(p: *const T) -> Arc<T>; pub fn into_inner(r: Arc<T>) -> Option<T>; pub fn unwrap_or_clone(r: Arc<T>) -> T; pub fn new_cyclic<F: FnOnce(&Weak<T>) -> T>(f: F) -> Arc<T>; }
    impl<T: crate::fmt::Display> crate::fmt::Display for Arc<T> {} impl<T: crate::fmt::Debug> crate::fmt::Debug for Arc<T> {} impl<T: crate::hash::Hash> crate::hash::Hash for Arc<T> {} impl<T: PartialEq> PartialEq for Arc<T> {} impl<T: PartialOrd> PartialOrd for Arc<T> {} impl<T: Ord> Ord for Arc<T> {} impl<T: Default> Default for Arc<T> {}
    impl<T> crate::ops::Deref for Arc<T> { type Target = T; } impl<T> Clone for Arc<T> {} impl<T> From<T> for Arc<T> {} impl<T> AsRef<T> for Arc<T> { fn as_ref(&self) -> &T; }
    pub struct Mutex<T>; pub struct MutexGuard<T>; pub struct PoisonError<T>; impl<T> PoisonError<T> { pub fn into_inner(self) -> T; } pub type LockResult<T> = Result<T, PoisonError<T>>; pub enum TryLockError<T> { Poisoned(PoisonError<T>), WouldBlock } pub type TryLockResult<T> = Result<T, TryLockError<T>>;
    impl<T> Mutex<T> { pub fn new(v: T) -> Mutex<T>; pub fn lock(&self) -> LockResult<MutexGuard<T>>; pub fn try_lock(&self) -> TryLockResult<MutexGuard<T>>; pub fn get_mut(&mut self) -> LockResult<&mut T>; pub fn into_inner(self) -> LockResult<T>; pub fn is_poisoned(&self) -> bool; }
    impl<T> crate::ops::Deref for MutexGuard<T> { type Target = T; }
    pub struct RwLock<T>; pub struct RwLockReadGuard<T>; pub struct RwLockWriteGuard<T>; impl<T> crate::ops::Deref for RwLockReadGuard<T> { type Target = T; } impl<T> crate::ops::Deref for RwLockWriteGuard<T> { type Target = T; }
    impl<T> RwLock<T> { pub fn new(v: T) -> RwLock<T>; pub fn read(&self) -> LockResult<RwLockReadGuard<T>>; pub fn write(&self) -> LockResult<RwLockWriteGuard<T>>; pub fn try_read(&self) -> TryLockResult<RwLockReadGuard<T>>; pub fn try_write(&self) -> TryLockResult<RwLockWriteGuard<T>>; pub fn get_mut(&mut self) -> LockResult<&mut T>; pub fn into_inner(self) -> LockResult<T>; }
    pub struct OnceLock<T>; impl<T> OnceLock<T> { pub fn new() -> OnceLock<T>; pub fn get(&self) -> Option<&T>; pub fn set(&self, v: T) -> Result<(), T>; pub fn get_or_init<F: FnOnce() -> T>(&self, f: F) -> &T; pub fn into_inner(self) -> Option<T>; pub fn get_mut(&mut self) -> Option<&mut T>; pub fn take(&mut self) -> Option<T>; }
    pub struct LazyLock<T>; impl<T> LazyLock<T> { pub fn new<F: FnOnce() -> T>(f: F) -> LazyLock<T>; pub fn force(l: &LazyLock<T>) -> &T; } impl<T> crate::ops::Deref for LazyLock<T> { type Target = T; }
    pub struct Once; impl Once { pub fn new() -> Once; pub fn call_once<F: FnOnce()>(&self, f: F); pub fn is_completed(&self) -> bool; } pub struct Barrier; impl Barrier { pub fn new(n: usize) -> Barrier; pub fn wait(&self) -> BarrierWaitResult; } pub struct BarrierWaitResult;
    pub struct Condvar; impl Condvar { pub fn new() -> Condvar; pub fn wait<T>(&self, g: MutexGuard<T>) -> LockResult<MutexGuard<T>>; pub fn notify_one(&self); pub fn notify_all(&self); pub fn wait_while<T, F: FnMut(&mut T) -> bool>(&self, g: MutexGuard<T>, f: F) -> LockResult<MutexGuard<T>>; }
    pub mod atomic {
        pub enum Ordering { Relaxed, Release, Acquire, AcqRel, SeqCst } pub fn fence(o: Ordering); pub struct Atomic<T>;
        pub struct AtomicBool; pub struct AtomicUsize; pub struct AtomicIsize; pub struct AtomicU64; pub struct AtomicU32; pub struct AtomicU16; pub struct AtomicU8; pub struct AtomicI64; pub struct AtomicI32; pub struct AtomicPtr<T>;
        impl AtomicBool { pub fn new(v: bool) -> AtomicBool; pub fn load(&self, o: Ordering) -> bool; pub fn swap(&self, v: bool, o: Ordering) -> bool; }
        impl AtomicUsize { pub fn new(v: usize) -> AtomicUsize; pub fn load(&self, o: Ordering) -> usize; pub fn fetch_add(&self, v: usize, o: Ordering) -> usize; pub fn fetch_sub(&self, v: usize, o: Ordering) -> usize; pub fn swap(&self, v: usize, o: Ordering) -> usize; pub fn compare_exchange(&self, a: usize, b: usize, o: Ordering, p: Ordering) -> Result<usize, usize>; }
        impl AtomicU64 { pub fn new(v: u64) -> AtomicU64; pub fn load(&self, o: Ordering) -> u64; pub fn fetch_add(&self, v: u64, o: Ordering) -> u64; } impl AtomicU32 { pub fn new(v: u32) -> AtomicU32; pub fn load(&self, o: Ordering) -> u32; pub fn fetch_add(&self, v: u32, o: Ordering) -> u32; }
        impl<T> AtomicPtr<T> { pub fn new(v: *mut T) -> AtomicPtr<T>; pub fn load(&self, o: Ordering) -> *mut T; pub fn swap(&self, v: *mut T, o: Ordering) -> *mut T; }
    }
    pub mod mpsc {
        pub struct Sender<T>; pub struct SyncSender<T>; pub struct Receiver<T>; pub struct SendError<T>(pub T); pub struct RecvError; pub enum TryRecvError { Empty, Disconnected } pub enum RecvTimeoutError { Timeout, Disconnected } pub enum TrySendError<T> { Full(T), Disconnected(T) }
        pub fn channel<T>() -> (Sender<T>, Receiver<T>); pub fn sync_channel<T>(n: usize) -> (SyncSender<T>, Receiver<T>); impl<T> Sender<T> { pub fn send(&self, v: T) -> Result<(), SendError<T>>; } impl<T> Clone for Sender<T> {} impl<T> SyncSender<T> { pub fn send(&self, v: T) -> Result<(), SendError<T>>; pub fn try_send(&self, v: T) -> Result<(), TrySendError<T>>; } impl<T> Clone for SyncSender<T> {}
        impl<T> Receiver<T> { pub fn recv(&self) -> Result<T, RecvError>; pub fn try_recv(&self) -> Result<T, TryRecvError>; pub fn recv_timeout(&self, d: crate::time::Duration) -> Result<T, RecvTimeoutError>; pub fn iter(&self) -> crate::iter::Adapter<T>; pub fn try_iter(&self) -> crate::iter::Adapter<T>; } impl<T> IntoIterator for Receiver<T> { type Item = T; }
    }
}
pub mod cell {
    pub struct Cell<T>; impl<T> Cell<T> { pub fn new(v: T) -> Cell<T>; pub fn get(&self) -> T; pub fn set(&self, v: T); pub fn replace(&self, v: T) -> T; pub fn take(&self) -> T; pub fn into_inner(self) -> T; pub fn get_mut(&mut self) -> &mut T; }
    pub struct RefCell<T>; pub struct Ref<T>; pub struct RefMut<T>; pub struct BorrowError; pub struct BorrowMutError; impl<T> crate::ops::Deref for Ref<T> { type Target = T; } impl<T> crate::ops::Deref for RefMut<T> { type Target = T; }
    impl<T> Ref<T> { pub fn map<U, F: FnOnce(&T) -> &U>(r: Ref<T>, f: F) -> Ref<U>; pub fn clone(r: &Ref<T>) -> Ref<T>; } impl<T> RefMut<T> { pub fn map<U, F: FnOnce(&mut T) -> &mut U>(r: RefMut<T>, f: F) -> RefMut<U>; }
    impl<T> RefCell<T> { pub fn new(v: T) -> RefCell<T>; pub fn borrow(&self) -> Ref<T>; pub fn borrow_mut(&self) -> RefMut<T>; pub fn try_borrow(&self) -> Result<Ref<T>, BorrowError>; pub fn try_borrow_mut(&self) -> Result<RefMut<T>, BorrowMutError>; pub fn into_inner(self) -> T; pub fn get_mut(&mut self) -> &mut T; pub fn replace(&self, v: T) -> T; pub fn take(&self) -> T; pub fn as_ptr(&self) -> *mut T; }
    pub struct OnceCell<T>; impl<T> OnceCell<T> { pub fn new() -> OnceCell<T>; pub fn get(&self) -> Option<&T>; pub fn set(&self, v: T) -> Result<(), T>; pub fn get_or_init<F: FnOnce() -> T>(&self, f: F) -> &T; pub fn get_mut(&mut self) -> Option<&mut T>; pub fn into_inner(self) -> Option<T>; pub fn take(&mut self) -> Option<T>; }
    pub struct LazyCell<T>; impl<T> crate::ops::Deref for LazyCell<T> { type Target = T; } pub struct UnsafeCell<T>; impl<T> UnsafeCell<T> { pub fn new(v: T) -> UnsafeCell<T>; pub fn get(&self) -> *mut T; pub fn get_mut(&mut self) -> &mut T; pub fn into_inner(self) -> T; }
}
pub mod pin {
    pub struct Pin<P>; impl<P> crate::ops::Deref for Pin<P> { type Target = P; } impl<P> Clone for Pin<P> {}
    impl<P> Pin<P> { pub fn new(p: P) -> Pin<P>; pub fn new_unchecked(p: P) -> Pin<P>; pub fn as_mut(&mut self) -> Pin<P>; pub fn as_ref(&self) -> Pin<P>; pub fn get_mut(self) -> P; pub fn get_ref(self) -> P; pub fn get_unchecked_mut(self) -> P; pub fn set(&mut self, v: P); pub fn into_ref(self) -> Pin<P>; pub fn into_inner(p: Pin<P>) -> P; pub fn map_unchecked_mut<U, F: FnOnce(&mut P) -> &mut U>(self, f: F) -> Pin<&mut U>; }
}
pub mod future { pub trait Future { type Output; fn poll(self: crate::pin::Pin<&mut Self>, c: &mut crate::task::Context) -> crate::task::Poll<Self::Output>; } pub trait IntoFuture { type Output; type IntoFuture; fn into_future(self) -> Self::IntoFuture; } pub struct Ready<T>; impl<T> Future for Ready<T> { type Output = T; } pub fn ready<T>(v: T) -> Ready<T>; pub fn pending<T>() -> Ready<T>; pub fn poll_fn<T, F: FnMut(&mut crate::task::Context) -> crate::task::Poll<T>>(f: F) -> Ready<T>;
    impl<F: Future> Future for crate::pin::Pin<F> { type Output = F::Output; } impl<F: Future> Future for Box<F> { type Output = F::Output; } }
pub mod task {
    pub enum Poll<T> { Ready(T), Pending } impl<T> Poll<T> { pub fn is_ready(&self) -> bool; pub fn is_pending(&self) -> bool; pub fn map<U, F: FnOnce(T) -> U>(self, f: F) -> Poll<U>; }
    pub struct Context; impl Context { pub fn waker(&self) -> &Waker; pub fn from_waker(w: &Waker) -> Context; } pub struct Waker; impl Waker { pub fn wake(self); pub fn wake_by_ref(&self); pub fn will_wake(&self, o: &Waker) -> bool; pub fn from_raw(r: RawWaker) -> Waker; pub fn noop() -> &Waker; } impl Clone for Waker {}
    pub struct RawWaker; impl RawWaker { pub fn new(p: *const (), v: &RawWakerVTable) -> RawWaker; } pub struct RawWakerVTable; impl RawWakerVTable { pub fn new<A, B, C, D>(a: A, b: B, c: C, d: D) -> RawWakerVTable; } pub trait Wake { fn wake(self: crate::sync::Arc<Self>); fn wake_by_ref(self: &crate::sync::Arc<Self>); }
}
pub mod collections {
    use crate::iter::Adapter;
    pub mod hash_map { pub use super::{HashMap, Entry, OccupiedEntry, VacantEntry}; pub use crate::hash::{DefaultHasher, RandomState}; pub use crate::iter::Adapter as Iter; pub use crate::iter::Adapter as IntoIter; pub use crate::iter::Adapter as Drain; pub use crate::iter::Adapter as Keys; pub use crate::iter::Adapter as Values; }
    pub mod btree_map { pub use super::{BTreeMap, Entry, OccupiedEntry, VacantEntry}; } pub mod hash_set { pub use super::HashSet; } pub mod btree_set { pub use super::BTreeSet; } pub mod vec_deque { pub use super::VecDeque; } pub mod binary_heap { pub use super::BinaryHeap; }
    pub struct HashMap<K, V>; pub struct BTreeMap<K, V>; pub struct HashSet<T>; pub struct BTreeSet<T>; pub struct VecDeque<T>; pub struct BinaryHeap<T>; pub struct LinkedList<T>;
    pub enum Entry<K, V> { Occupied(OccupiedEntry<K, V>), Vacant(VacantEntry<K, V>) } pub struct OccupiedEntry<K, V>; pub struct VacantEntry<K, V>;
    impl<K, V> HashMap<K, V> {
        pub fn new() -> HashMap<K, V>; pub fn with_capacity(n: usize) -> HashMap<K, V>; pub fn get<Q>(&self, k: &Q) -> Option<&V>; pub fn get_mut<Q>(&mut self, k: &Q) -> Option<&mut V>; pub fn insert(&mut self, k: K, v: V) -> Option<V>; pub fn remove<Q>(&mut self, k: &Q) -> Option<V>; pub fn remove_entry<Q>(&mut self, k: &Q) -> Option<(K, V)>;
        pub fn contains_key<Q>(&self, k: &Q) -> bool; pub fn entry(&mut self, k: K) -> Entry<K, V>; pub fn keys(&self) -> Adapter<K>; pub fn values(&self) -> Adapter<V>; pub fn values_mut(&mut self) -> Adapter<V>; pub fn into_keys(self) -> Adapter<K>; pub fn into_values(self) -> Adapter<V>; pub fn iter(&self) -> Adapter<(K, V)>;
        pub fn iter_mut(&mut self) -> Adapter<(K, V)>; pub fn len(&self) -> usize; pub fn is_empty(&self) -> bool; pub fn clear(&mut self); pub fn drain(&mut self) -> Adapter<(K, V)>; pub fn retain<F: FnMut(&K, &mut V) -> bool>(&mut self, f: F); pub fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, i: I); pub fn get_key_value<Q>(&self, k: &Q) -> Option<(K, V)>; pub fn reserve(&mut self, n: usize); pub fn shrink_to_fit(&mut self);
    }
    impl<K, V> BTreeMap<K, V> {
        pub fn new() -> BTreeMap<K, V>; pub fn get<Q>(&self, k: &Q) -> Option<&V>; pub fn get_mut<Q>(&mut self, k: &Q) -> Option<&mut V>; pub fn insert(&mut self, k: K, v: V) -> Option<V>; pub fn remove<Q>(&mut self, k: &Q) -> Option<V>; pub fn contains_key<Q>(&self, k: &Q) -> bool; pub fn entry(&mut self, k: K) -> Entry<K, V>; pub fn keys(&self) -> Adapter<K>; pub fn values(&self) -> Adapter<V>;
        pub fn values_mut(&mut self) -> Adapter<V>; pub fn into_keys(self) -> Adapter<K>; pub fn into_values(self) -> Adapter<V>; pub fn iter(&self) -> Adapter<(K, V)>; pub fn iter_mut(&mut self) -> Adapter<(K, V)>; pub fn len(&self) -> usize; pub fn is_empty(&self) -> bool; pub fn clear(&mut self); pub fn retain<F: FnMut(&K, &mut V) -> bool>(&mut self, f: F); pub fn range<R>(&self, r: R) -> Adapter<(K, V)>; pub fn range_mut<R>(&mut self, r: R) -> Adapter<(K, V)>;
        pub fn first_key_value(&self) -> Option<(K, V)>; pub fn last_key_value(&self) -> Option<(K, V)>; pub fn pop_first(&mut self) -> Option<(K, V)>; pub fn pop_last(&mut self) -> Option<(K, V)>; pub fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, i: I); pub fn split_off<Q>(&mut self, q: &Q) -> BTreeMap<K, V>; pub fn append(&mut self, o: &mut BTreeMap<K, V>); pub fn first_entry(&mut self) -> Option<OccupiedEntry<K, V>>;
    }
    impl<K, V> Entry<K, V> { pub fn or_insert(self, v: V) -> &mut V; pub fn or_insert_with<F: FnOnce() -> V>(self, f: F) -> &mut V; pub fn or_default(self) -> &mut V; pub fn and_modify<F: FnOnce(&mut V)>(self, f: F) -> Entry<K, V>; pub fn key(&self) -> &K; pub fn or_insert_with_key<F: FnOnce(&K) -> V>(self, f: F) -> &mut V; }
    impl<K, V> OccupiedEntry<K, V> { pub fn get(&self) -> &V; pub fn get_mut(&mut self) -> &mut V; pub fn into_mut(self) -> &mut V; pub fn insert(&mut self, v: V) -> V; pub fn remove(self) -> V; pub fn key(&self) -> &K; pub fn remove_entry(self) -> (K, V); } impl<K, V> VacantEntry<K, V> { pub fn insert(self, v: V) -> &mut V; pub fn key(&self) -> &K; pub fn into_key(self) -> K; }
    impl<T> HashSet<T> { pub fn new() -> HashSet<T>; pub fn with_capacity(n: usize) -> HashSet<T>; pub fn insert(&mut self, v: T) -> bool; pub fn contains<Q>(&self, q: &Q) -> bool; pub fn remove<Q>(&mut self, q: &Q) -> bool; pub fn get<Q>(&self, q: &Q) -> Option<&T>; pub fn take<Q>(&mut self, q: &Q) -> Option<T>; pub fn replace(&mut self, v: T) -> Option<T>; pub fn iter(&self) -> Adapter<T>; pub fn len(&self) -> usize; pub fn is_empty(&self) -> bool; pub fn clear(&mut self); pub fn drain(&mut self) -> Adapter<T>; pub fn retain<F: FnMut(&T) -> bool>(&mut self, f: F); pub fn extend<I: IntoIterator<Item = T>>(&mut self, i: I); pub fn union(&self, o: &HashSet<T>) -> Adapter<T>; pub fn intersection(&self, o: &HashSet<T>) -> Adapter<T>; pub fn difference(&self, o: &HashSet<T>) -> Adapter<T>; pub fn symmetric_difference(&self, o: &HashSet<T>) -> Adapter<T>; pub fn is_subset(&self, o: &HashSet<T>) -> bool; pub fn is_disjoint(&self, o: &HashSet<T>) -> bool; pub fn is_superset(&self, o: &HashSet<T>) -> bool; pub fn reserve(&mut self, n: usize); }
    impl<T> BTreeSet<T> { pub fn new() -> BTreeSet<T>; pub fn insert(&mut self, v: T) -> bool; pub fn contains<Q>(&self, q: &Q) -> bool; pub fn remove<Q>(&mut self, q: &Q) -> bool; pub fn get<Q>(&self, q: &Q) -> Option<&T>; pub fn iter(&self) -> Adapter<T>; pub fn len(&self) -> usize; pub fn is_empty(&self) -> bool; pub fn clear(&mut self); pub fn first(&self) -> Option<&T>; pub fn last(&self) -> Option<&T>; pub fn pop_first(&mut self) -> Option<T>; pub fn pop_last(&mut self) -> Option<T>; pub fn range<R>(&self, r: R) -> Adapter<T>; pub fn extend<I: IntoIterator<Item = T>>(&mut self, i: I); pub fn retain<F: FnMut(&T) -> bool>(&mut self, f: F); pub fn union(&self, o: &BTreeSet<T>) -> Adapter<T>; pub fn difference(&self, o: &BTreeSet<T>) -> Adapter<T>; pub fn intersection(&self, o: &BTreeSet<T>) -> Adapter<T>; }
    impl<T> VecDeque<T> { pub fn new() -> VecDeque<T>; pub fn with_capacity(n: usize) -> VecDeque<T>; pub fn push_back(&mut self, v: T); pub fn push_front(&mut self, v: T); pub fn pop_back(&mut self) -> Option<T>; pub fn pop_front(&mut self) -> Option<T>; pub fn front(&self) -> Option<&T>; pub fn back(&self) -> Option<&T>; pub fn front_mut(&mut self) -> Option<&mut T>; pub fn back_mut(&mut self) -> Option<&mut T>; pub fn get(&self, i: usize) -> Option<&T>; pub fn get_mut(&mut self, i: usize) -> Option<&mut T>; pub fn iter(&self) -> Adapter<T>; pub fn iter_mut(&mut self) -> Adapter<T>; pub fn len(&self) -> usize; pub fn is_empty(&self) -> bool; pub fn clear(&mut self); pub fn drain<R>(&mut self, r: R) -> Adapter<T>; pub fn extend<I: IntoIterator<Item = T>>(&mut self, i: I); pub fn remove(&mut self, i: usize) -> Option<T>; pub fn insert(&mut self, i: usize, v: T); pub fn append(&mut self, o: &mut VecDeque<T>); pub fn contains(&self, x: &T) -> bool; pub fn truncate(&mut self, n: usize); pub fn retain<F: FnMut(&T) -> bool>(&mut self, f: F); pub fn as_slices(&self) -> (&[T], &[T]); pub fn make_contiguous(&mut self) -> &mut [T]; pub fn capacity(&self) -> usize; }
    impl<T> BinaryHeap<T> { pub fn new() -> BinaryHeap<T>; pub fn push(&mut self, v: T); pub fn pop(&mut self) -> Option<T>; pub fn peek(&self) -> Option<&T>; pub fn len(&self) -> usize; pub fn is_empty(&self) -> bool; pub fn into_sorted_vec(self) -> Vec<T>; pub fn into_vec(self) -> Vec<T>; pub fn iter(&self) -> Adapter<T>; pub fn clear(&mut self); } impl<T> LinkedList<T> { pub fn new() -> LinkedList<T>; pub fn push_back(&mut self, v: T); pub fn pop_front(&mut self) -> Option<T>; pub fn iter(&self) -> Adapter<T>; }
    impl<K, V> IntoIterator for HashMap<K, V> { type Item = (K, V); } impl<K, V> IntoIterator for BTreeMap<K, V> { type Item = (K, V); } impl<T> IntoIterator for HashSet<T> { type Item = T; } impl<T> IntoIterator for BTreeSet<T> { type Item = T; } impl<T> IntoIterator for VecDeque<T> { type Item = T; } impl<T> IntoIterator for BinaryHeap<T> { type Item = T; } impl<T> IntoIterator for LinkedList<T> { type Item = T; }
    impl<K, V, Q> crate::ops::Index<Q> for HashMap<K, V> { type Output = V; } impl<K, V, Q> crate::ops::Index<Q> for BTreeMap<K, V> { type Output = V; } impl<T> crate::ops::Index<usize> for VecDeque<T> { type Output = T; }
    impl<K, V> Clone for HashMap<K, V> {} impl<K, V> Clone for BTreeMap<K, V> {} impl<T> Clone for HashSet<T> {} impl<T> Clone for BTreeSet<T> {} impl<T> Clone for VecDeque<T> {} impl<T> Clone for BinaryHeap<T> {} impl<K, V> Default for HashMap<K, V> {} impl<K, V> Default for BTreeMap<K, V> {} impl<T> Default for HashSet<T> {} impl<T> Default for BTreeSet<T> {} impl<T> Default for VecDeque<T> {} impl<T> Default for BinaryHeap<T> {}
    impl<K, V> FromIterator<(K, V)> for HashMap<K, V> {} impl<K, V> FromIterator<(K, V)> for BTreeMap<K, V> {} impl<T> FromIterator<T> for HashSet<T> {} impl<T> FromIterator<T> for BTreeSet<T> {} impl<T> FromIterator<T> for VecDeque<T> {}
}
pub mod hash { pub trait Hash { fn hash<H: Hasher>(&self, h: &mut H); } pub trait Hasher { fn finish(&self) -> u64; fn write(&mut self, b: &[u8]); fn write_u64(&mut self, v: u64); fn write_u32(&mut self, v: u32); fn write_u8(&mut self, v: u8); fn write_usize(&mut self, v: usize); } pub trait BuildHasher { type Hasher; fn build_hasher(&self) -> Self::Hasher; fn hash_one<T>(&self, t: T) -> u64; } pub struct BuildHasherDefault<H>; pub struct DefaultHasher; pub struct RandomState; impl DefaultHasher { pub fn new() -> DefaultHasher; } impl Hasher for DefaultHasher {} impl<H> BuildHasher for BuildHasherDefault<H> { type Hasher = H; } impl BuildHasher for RandomState { type Hasher = DefaultHasher; } }
pub mod fmt {
    pub struct Formatter; pub struct Error; pub struct Arguments; pub type Result = crate::result::Result<(), Error>; pub trait Display { fn fmt(&self, f: &mut Formatter) -> Result; } pub trait Debug { fn fmt(&self, f: &mut Formatter) -> Result; } pub trait Write { fn write_str(&mut self, s: &str) -> Result; fn write_char(&mut self, c: char) -> Result; fn write_fmt(&mut self, a: Arguments) -> Result; } pub trait LowerHex { fn fmt(&self, f: &mut Formatter) -> Result; } pub trait UpperHex { fn fmt(&self, f: &mut Formatter) -> Result; } pub trait Binary {} pub trait Octal {} pub trait Pointer { fn fmt(&self, f: &mut Formatter) -> Result; }
    impl Formatter { pub fn write_str(&mut self, s: &str) -> Result; pub fn write_fmt(&mut self, a: Arguments) -> Result; pub fn pad(&mut self, s: &str) -> Result; pub fn debug_struct(&mut self, n: &str) -> DebugStruct; pub fn debug_tuple(&mut self, n: &str) -> DebugTuple; pub fn debug_list(&mut self) -> DebugList; pub fn debug_map(&mut self) -> DebugMap; pub fn debug_set(&mut self) -> DebugList; pub fn alternate(&self) -> bool; pub fn width(&self) -> Option<usize>; pub fn precision(&self) -> Option<usize>; pub fn pad_integral(&mut self, p: bool, s: &str, b: &str) -> Result; pub fn fill(&self) -> char; pub fn write_char(&mut self, c: char) -> Result; }
    pub struct DebugStruct; pub struct DebugTuple; pub struct DebugList; pub struct DebugMap; pub use DebugList as DebugSet; impl DebugStruct { pub fn field(&mut self, n: &str, v: &dyn Debug) -> &mut DebugStruct; pub fn finish(&mut self) -> Result; pub fn finish_non_exhaustive(&mut self) -> Result; } impl DebugTuple { pub fn field(&mut self, v: &dyn Debug) -> &mut DebugTuple; pub fn finish(&mut self) -> Result; } impl DebugList { pub fn entry(&mut self, v: &dyn Debug) -> &mut DebugList; pub fn entries<I>(&mut self, i: I) -> &mut DebugList; pub fn finish(&mut self) -> Result; } impl DebugMap { pub fn entry(&mut self, k: &dyn Debug, v: &dyn Debug) -> &mut DebugMap; pub fn entries<I>(&mut self, i: I) -> &mut DebugMap; pub fn finish(&mut self) -> Result; pub fn key(&mut self, k: &dyn Debug) -> &mut DebugMap; pub fn value(&mut self, v: &dyn Debug) -> &mut DebugMap; }
}
pub mod error { pub trait Error { fn source(&self) -> Option<&dyn Error>; fn description(&self) -> &str; fn cause(&self) -> Option<&dyn Error>; } impl dyn Error { fn downcast_ref<T>(&self) -> Option<&T>; fn is<T>(&self) -> bool; } }
pub mod io {
    pub struct Error; pub enum ErrorKind { NotFound, PermissionDenied, ConnectionRefused, ConnectionReset, ConnectionAborted, NotConnected, AddrInUse, AddrNotAvailable, BrokenPipe, AlreadyExists, WouldBlock, InvalidInput, InvalidData, TimedOut, WriteZero, Interrupted, Unsupported, UnexpectedEof, OutOfMemory, Other } pub type Result<T> = crate::result::Result<T, Error>; pub struct Stdin; pub struct Stdout; pub struct Stderr; pub struct StdoutLock; pub struct StdinLock; pub fn stdin() -> Stdin; pub fn stdout() -> Stdout; pub fn stderr() -> Stderr; pub fn empty() -> Empty; pub fn sink() -> Sink; pub struct Empty; pub struct Sink; pub fn copy<R, W>(r: &mut R, w: &mut W) -> Result<u64>; pub fn read_to_string<R>(r: R) -> Result<String>;
    impl Error { pub fn new<E>(k: ErrorKind, e: E) -> Error; pub fn other<E>(e: E) -> Error; pub fn kind(&self) -> ErrorKind; pub fn last_os_error() -> Error; pub fn raw_os_error(&self) -> Option<i32>; pub fn from_raw_os_error(c: i32) -> Error; pub fn get_ref(&self) -> Option<&dyn crate::error::Error>; pub fn into_inner(self) -> Option<Box<dyn crate::error::Error>>; } impl crate::error::Error for Error {}
    pub trait Read { fn read(&mut self, b: &mut [u8]) -> Result<usize>; fn read_to_end(&mut self, b: &mut Vec<u8>) -> Result<usize>; fn read_to_string(&mut self, b: &mut String) -> Result<usize>; fn read_exact(&mut self, b: &mut [u8]) -> Result<()>; fn by_ref(&mut self) -> &mut Self; fn bytes(self) -> crate::iter::Adapter<Result<u8>>; fn take(self, n: u64) -> Take<Self>; fn chain<R>(self, r: R) -> Chain<Self, R>; fn read_vectored(&mut self, b: &mut [IoSliceMut]) -> Result<usize>; } pub struct Take<T>; pub struct Chain<T, U>;
    pub trait Write { fn write(&mut self, b: &[u8]) -> Result<usize>; fn flush(&mut self) -> Result<()>; fn write_all(&mut self, b: &[u8]) -> Result<()>; fn write_fmt(&mut self, a: crate::fmt::Arguments) -> Result<()>; fn by_ref(&mut self) -> &mut Self; fn write_vectored(&mut self, b: &[IoSlice]) -> Result<usize>; } pub trait Seek { fn seek(&mut self, p: SeekFrom) -> Result<u64>; fn rewind(&mut self) -> Result<()>; fn stream_position(&mut self) -> Result<u64>; } pub enum SeekFrom { Start(u64), End(i64), Current(i64) } pub struct IoSlice; pub struct IoSliceMut;
    pub trait BufRead: Read { fn fill_buf(&mut self) -> Result<&[u8]>; fn consume(&mut self, n: usize); fn read_line(&mut self, b: &mut String) -> Result<usize>; fn lines(self) -> crate::iter::Adapter<Result<String>>; fn read_until(&mut self, b: u8, v: &mut Vec<u8>) -> Result<usize>; fn split(self, b: u8) -> crate::iter::Adapter<Result<Vec<u8>>>; } pub struct BufReader<R>; pub struct BufWriter<W>; pub struct LineWriter<W>; pub struct Cursor<T>; impl<T> Cursor<T> { pub fn new(t: T) -> Cursor<T>; pub fn position(&self) -> u64; pub fn set_position(&mut self, p: u64); pub fn into_inner(self) -> T; pub fn get_ref(&self) -> &T; pub fn get_mut(&mut self) -> &mut T; }
    impl<R> BufReader<R> { pub fn new(r: R) -> BufReader<R>; pub fn with_capacity(n: usize, r: R) -> BufReader<R>; pub fn get_ref(&self) -> &R; pub fn get_mut(&mut self) -> &mut R; pub fn into_inner(self) -> R; pub fn buffer(&self) -> &[u8]; } impl<W> BufWriter<W> { pub fn new(w: W) -> BufWriter<W>; pub fn with_capacity(n: usize, w: W) -> BufWriter<W>; pub fn get_ref(&self) -> &W; pub fn get_mut(&mut self) -> &mut W; } impl Stdout { pub fn lock(&self) -> StdoutLock; } impl Stdin { pub fn lock(&self) -> StdinLock; pub fn read_line(&self, b: &mut String) -> Result<usize>; pub fn lines(self) -> crate::iter::Adapter<Result<String>>; }
    impl<R> Read for BufReader<R> {} impl<R> BufRead for BufReader<R> {} impl<W> Write for BufWriter<W> {} impl<T> Read for Cursor<T> {} impl<T> BufRead for Cursor<T> {} impl<T> Write for Cursor<T> {} impl<T> Seek for Cursor<T> {} impl Write for Stdout {} impl Write for Stderr {} impl Write for StdoutLock {} impl Read for Stdin {} impl BufRead for StdinLock {} impl Read for StdinLock {} impl Write for Vec<u8> {} impl Read for [u8] {} impl BufRead for [u8] {}
    pub mod prelude { pub use super::{Read, Write, Seek, BufRead}; }
}
pub mod path {
    pub struct Path; pub struct PathBuf; pub enum Component { Prefix(PrefixComponent), RootDir, CurDir, ParentDir, Normal(&crate::ffi::OsStr) } pub struct PrefixComponent; pub struct StripPrefixError; pub struct Components; impl Iterator for Components { type Item = Component; } impl Components { pub fn as_path(&self) -> &Path; } impl Component { pub fn as_os_str(self) -> &crate::ffi::OsStr; } impl crate::ops::Deref for PathBuf { type Target = Path; } impl Clone for PathBuf {} impl Default for PathBuf {} pub struct Display; pub const MAIN_SEPARATOR: char = '/';
    impl Path { pub fn new<S>(s: &S) -> &Path; pub fn as_os_str(&self) -> &crate::ffi::OsStr; pub fn to_str(&self) -> Option<&str>; pub fn to_string_lossy(&self) -> crate::borrow::Cow<str>; pub fn to_path_buf(&self) -> PathBuf; pub fn is_absolute(&self) -> bool; pub fn is_relative(&self) -> bool; pub fn parent(&self) -> Option<&Path>; pub fn ancestors(&self) -> crate::iter::Adapter<&Path>; pub fn file_name(&self) -> Option<&crate::ffi::OsStr>; pub fn strip_prefix<P>(&self, p: P) -> Result<&Path, StripPrefixError>; pub fn starts_with<P>(&self, p: P) -> bool; pub fn ends_with<P>(&self, p: P) -> bool; pub fn file_stem(&self) -> Option<&crate::ffi::OsStr>; pub fn extension(&self) -> Option<&crate::ffi::OsStr>; pub fn join<P>(&self, p: P) -> PathBuf; pub fn with_file_name<S>(&self, s: S) -> PathBuf; pub fn with_extension<S>(&self, s: S) -> PathBuf; pub fn components(&self) -> Components; pub fn display(&self) -> Display; pub fn metadata(&self) -> crate::io::Result<crate::fs::Metadata>; pub fn exists(&self) -> bool; pub fn is_file(&self) -> bool; pub fn is_dir(&self) -> bool; pub fn canonicalize(&self) -> crate::io::Result<PathBuf>; pub fn read_dir(&self) -> crate::io::Result<crate::fs::ReadDir>; pub fn is_symlink(&self) -> bool; pub fn iter(&self) -> crate::iter::Adapter<&crate::ffi::OsStr>; pub fn symlink_metadata(&self) -> crate::io::Result<crate::fs::Metadata>; }
    impl PathBuf { pub fn new() -> PathBuf; pub fn as_path(&self) -> &Path; pub fn push<P>(&mut self, p: P); pub fn pop(&mut self) -> bool; pub fn set_file_name<S>(&mut self, s: S); pub fn set_extension<S>(&mut self, s: S) -> bool; pub fn into_os_string(self) -> crate::ffi::OsString; pub fn into_boxed_path(self) -> Box<Path>; } impl From<str> for PathBuf {}
}
pub mod ffi { pub struct OsStr; pub struct OsString; pub struct CStr; pub struct CString; pub enum c_void {} impl OsStr { pub fn new<S>(s: &S) -> &OsStr; pub fn to_str(&self) -> Option<&str>; pub fn to_string_lossy(&self) -> crate::borrow::Cow<str>; pub fn to_os_string(&self) -> OsString; pub fn is_empty(&self) -> bool; pub fn len(&self) -> usize; pub fn as_encoded_bytes(&self) -> &[u8]; } impl OsString { pub fn new() -> OsString; pub fn into_string(self) -> Result<String, OsString>; pub fn as_os_str(&self) -> &OsStr; pub fn push<S>(&mut self, s: S); } impl crate::ops::Deref for OsString { type Target = OsStr; } impl crate::ops::Deref for CString { type Target = CStr; } impl Clone for OsString {} impl Clone for CString {} impl From<str> for OsString {} impl CStr { pub fn as_ptr(&self) -> *const i8; pub fn to_str(&self) -> Result<&str, crate::str::Utf8Error>; pub fn from_ptr(p: *const i8) -> &CStr; pub fn to_bytes(&self) -> &[u8]; } impl CString { pub fn new<S>(s: S) -> Result<CString, NulError>; pub fn as_c_str(&self) -> &CStr; } pub struct NulError; }
pub mod fs { pub struct File; pub struct Metadata; pub struct ReadDir; pub struct DirEntry; pub struct OpenOptions; pub struct FileType; pub struct Permissions; impl Iterator for ReadDir { type Item = crate::io::Result<DirEntry>; } impl File { pub fn open<P>(p: P) -> crate::io::Result<File>; pub fn create<P>(p: P) -> crate::io::Result<File>; pub fn options() -> OpenOptions; pub fn metadata(&self) -> crate::io::Result<Metadata>; pub fn sync_all(&self) -> crate::io::Result<()>; pub fn set_len(&self, n: u64) -> crate::io::Result<()>; pub fn try_clone(&self) -> crate::io::Result<File>; } impl crate::io::Read for File {} impl crate::io::Write for File {} impl crate::io::Seek for File {} impl DirEntry { pub fn path(&self) -> crate::path::PathBuf; pub fn file_name(&self) -> crate::ffi::OsString; pub fn metadata(&self) -> crate::io::Result<Metadata>; pub fn file_type(&self) -> crate::io::Result<FileType>; } impl Metadata { pub fn len(&self) -> u64; pub fn is_dir(&self) -> bool; pub fn is_file(&self) -> bool; pub fn modified(&self) -> crate::io::Result<crate::time::SystemTime>; pub fn permissions(&self) -> Permissions; pub fn file_type(&self) -> FileType; } impl FileType { pub fn is_dir(&self) -> bool; pub fn is_file(&self) -> bool; pub fn is_symlink(&self) -> bool; } impl OpenOptions { pub fn new() -> OpenOptions; pub fn read(&mut self, b: bool) -> &mut OpenOptions; pub fn write(&mut self, b: bool) -> &mut OpenOptions; pub fn create(&mut self, b: bool) -> &mut OpenOptions; pub fn append(&mut self, b: bool) -> &mut OpenOptions; pub fn truncate(&mut self, b: bool) -> &mut OpenOptions; pub fn create_new(&mut self, b: bool) -> &mut OpenOptions; pub fn open<P>(&self, p: P) -> crate::io::Result<File>; } pub fn read<P>(p: P) -> crate::io::Result<Vec<u8>>; pub fn read_to_string<P>(p: P) -> crate::io::Result<String>; pub fn write<P, C>(p: P, c: C) -> crate::io::Result<()>; pub fn metadata<P>(p: P) -> crate::io::Result<Metadata>; pub fn symlink_metadata<P>(p: P) -> crate::io::Result<Metadata>; pub fn read_dir<P>(p: P) -> crate::io::Result<ReadDir>; pub fn canonicalize<P>(p: P) -> crate::io::Result<crate::path::PathBuf>; pub fn create_dir_all<P>(p: P) -> crate::io::Result<()>; pub fn create_dir<P>(p: P) -> crate::io::Result<()>; pub fn remove_file<P>(p: P) -> crate::io::Result<()>; pub fn remove_dir_all<P>(p: P) -> crate::io::Result<()>; pub fn rename<P, Q>(p: P, q: Q) -> crate::io::Result<()>; pub fn copy<P, Q>(p: P, q: Q) -> crate::io::Result<u64>; }
pub mod env { pub enum VarError { NotPresent, NotUnicode(crate::ffi::OsString) } pub fn var<K>(k: K) -> Result<String, VarError>; pub fn var_os<K>(k: K) -> Option<crate::ffi::OsString>; pub fn args() -> crate::iter::Adapter<String>; pub fn args_os() -> crate::iter::Adapter<crate::ffi::OsString>; pub fn current_dir() -> crate::io::Result<crate::path::PathBuf>; pub fn current_exe() -> crate::io::Result<crate::path::PathBuf>; pub fn temp_dir() -> crate::path::PathBuf; pub fn vars() -> crate::iter::Adapter<(String, String)>; pub fn vars_os() -> crate::iter::Adapter<(crate::ffi::OsString, crate::ffi::OsString)>; }
pub mod time { pub struct Duration; pub struct Instant; pub struct SystemTime; pub struct SystemTimeError; impl Duration { pub const MAX: Duration; pub const ZERO: Duration; pub fn from_secs(n: u64) -> Duration; pub fn from_millis(n: u64) -> Duration; pub fn from_micros(n: u64) -> Duration; pub fn from_nanos(n: u64) -> Duration; pub fn from_secs_f64(n: f64) -> Duration; pub fn new(s: u64, n: u32) -> Duration; pub fn as_secs(&self) -> u64; pub fn as_millis(&self) -> u128; pub fn as_micros(&self) -> u128; pub fn as_nanos(&self) -> u128; pub fn as_secs_f64(&self) -> f64; pub fn as_secs_f32(&self) -> f32; pub fn subsec_nanos(&self) -> u32; pub fn is_zero(&self) -> bool; pub fn checked_add(self, o: Duration) -> Option<Duration>; pub fn checked_sub(self, o: Duration) -> Option<Duration>; pub fn saturating_sub(self, o: Duration) -> Duration; } impl Instant { pub fn now() -> Instant; pub fn elapsed(&self) -> Duration; pub fn duration_since(&self, o: Instant) -> Duration; pub fn checked_add(&self, d: Duration) -> Option<Instant>; pub fn checked_sub(&self, d: Duration) -> Option<Instant>; pub fn saturating_duration_since(&self, o: Instant) -> Duration; pub fn checked_duration_since(&self, o: Instant) -> Option<Duration>; } impl SystemTime { pub const UNIX_EPOCH: SystemTime; pub fn now() -> SystemTime; pub fn duration_since(&self, o: SystemTime) -> Result<Duration, SystemTimeError>; pub fn elapsed(&self) -> Result<Duration, SystemTimeError>; } pub const UNIX_EPOCH: SystemTime; impl Clone for Duration {} impl Clone for Instant {} impl crate::ops::Sub<Instant> for Instant { type Output = Duration; } impl crate::ops::Add<Duration> for Instant { type Output = Instant; } impl crate::ops::Add<Duration> for Duration { type Output = Duration; } impl crate::ops::Sub<Duration> for Duration { type Output = Duration; } impl crate::ops::Mul<u32> for Duration { type Output = Duration; } }
pub mod thread { pub struct JoinHandle<T>; pub struct Thread; pub struct ThreadId; pub struct Builder; pub struct LocalKey<T>; pub struct Scope; pub struct ScopedJoinHandle<T>; pub type Result<T> = crate::result::Result<T, Box<dyn crate::any::Any>>; impl<T> JoinHandle<T> { pub fn join(self) -> Result<T>; pub fn thread(&self) -> &Thread; pub fn is_finished(&self) -> bool; } impl<T> ScopedJoinHandle<T> { pub fn join(self) -> Result<T>; } impl Scope { pub fn spawn<T, F: FnOnce() -> T>(&self, f: F) -> ScopedJoinHandle<T>; } impl Thread { pub fn id(&self) -> ThreadId; pub fn name(&self) -> Option<&str>; pub fn unpark(&self); } impl Builder { pub fn new() -> Builder; pub fn name(self, n: String) -> Builder; pub fn stack_size(self, n: usize) -> Builder; pub fn spawn<T, F: FnOnce() -> T>(self, f: F) -> crate::io::Result<JoinHandle<T>>; } impl<T> LocalKey<T> { pub fn with<R, F: FnOnce(&T) -> R>(&self, f: F) -> R; pub fn try_with<R, F: FnOnce(&T) -> R>(&self, f: F) -> crate::result::Result<R, AccessError>; } pub struct AccessError; pub fn spawn<T, F: FnOnce() -> T>(f: F) -> JoinHandle<T>; pub fn scope<T, F: FnOnce(&Scope) -> T>(f: F) -> T; pub fn current() -> Thread; pub fn sleep(d: crate::time::Duration); pub fn yield_now(); pub fn park(); pub fn panicking() -> bool; pub fn available_parallelism() -> crate::io::Result<crate::num::NonZeroUsize>; }
pub mod mem { pub fn replace<T>(d: &mut T, v: T) -> T; pub fn take<T>(d: &mut T) -> T; pub fn swap<T>(a: &mut T, b: &mut T); pub fn drop<T>(v: T); pub fn forget<T>(v: T); pub fn size_of<T>() -> usize; pub fn size_of_val<T>(v: &T) -> usize; pub fn align_of<T>() -> usize; pub fn transmute<A, B>(a: A) -> B; pub fn zeroed<T>() -> T; pub fn discriminant<T>(v: &T) -> Discriminant<T>; pub struct Discriminant<T>; pub fn needs_drop<T>() -> bool; pub struct ManuallyDrop<T>; impl<T> ManuallyDrop<T> { pub fn new(v: T) -> ManuallyDrop<T>; pub fn into_inner(v: ManuallyDrop<T>) -> T; pub fn take(v: &mut ManuallyDrop<T>) -> T; pub fn drop(v: &mut ManuallyDrop<T>); } impl<T> crate::ops::Deref for ManuallyDrop<T> { type Target = T; } pub union MaybeUninit<T> { value: T } impl<T> MaybeUninit<T> { pub fn new(v: T) -> MaybeUninit<T>; pub fn uninit() -> MaybeUninit<T>; pub fn zeroed() -> MaybeUninit<T>; pub fn assume_init(self) -> T; pub fn as_ptr(&self) -> *const T; pub fn as_mut_ptr(&mut self) -> *mut T; pub fn write(&mut self, v: T) -> &mut T; pub fn assume_init_ref(&self) -> &T; pub fn assume_init_mut(&mut self) -> &mut T; pub fn assume_init_read(&self) -> T; } }
pub mod ptr { pub struct NonNull<T>; impl<T> NonNull<T> { pub fn new(p: *mut T) -> Option<NonNull<T>>; pub fn new_unchecked(p: *mut T) -> NonNull<T>; pub fn dangling() -> NonNull<T>; pub fn as_ptr(self) -> *mut T; pub fn as_ref(&self) -> &T; pub fn as_mut(&mut self) -> &mut T; pub fn cast<U>(self) -> NonNull<U>; } impl<T> Clone for NonNull<T> {} impl<T> From<T> for NonNull<T> {} pub fn null<T>() -> *const T; pub fn null_mut<T>() -> *mut T; pub fn read<T>(p: *const T) -> T; pub fn write<T>(p: *mut T, v: T); pub fn eq<T>(a: *const T, b: *const T) -> bool; pub fn copy<T>(a: *const T, b: *mut T, n: usize); pub fn copy_nonoverlapping<T>(a: *const T, b: *mut T, n: usize); pub fn drop_in_place<T>(p: *mut T); pub fn from_ref<T>(r: &T) -> *const T; pub fn swap<T>(a: *mut T, b: *mut T); pub fn addr_eq<T, U>(a: *const T, b: *const U) -> bool; }
pub mod num { pub struct NonZero<T>; impl<T> NonZero<T> { pub fn new(v: T) -> Option<NonZero<T>>; pub fn get(self) -> T; pub fn new_unchecked(v: T) -> NonZero<T>; } pub struct NonZeroUsize; pub struct NonZeroU32; pub struct NonZeroU64; pub struct NonZeroU8; pub struct NonZeroU16; pub struct NonZeroU128; impl NonZeroUsize { pub fn new(n: usize) -> Option<NonZeroUsize>; pub fn get(self) -> usize; } impl NonZeroU32 { pub fn new(n: u32) -> Option<NonZeroU32>; pub fn get(self) -> u32; } impl NonZeroU64 { pub fn new(n: u64) -> Option<NonZeroU64>; pub fn get(self) -> u64; } pub struct Wrapping<T>(pub T); pub struct ParseIntError; pub struct ParseFloatError; pub struct TryFromIntError; pub enum IntErrorKind { Empty, InvalidDigit, PosOverflow, NegOverflow, Zero } impl ParseIntError { pub fn kind(&self) -> &IntErrorKind; } }
pub mod process { pub struct Command; pub struct Child; pub struct ExitStatus; pub struct Output { pub status: ExitStatus, pub stdout: Vec<u8>, pub stderr: Vec<u8> } pub struct Stdio; pub struct ExitCode; pub struct ChildStdin; pub struct ChildStdout; pub struct ChildStderr; impl Command { pub fn new<S>(s: S) -> Command; pub fn arg<S>(&mut self, s: S) -> &mut Command; pub fn args<I>(&mut self, i: I) -> &mut Command; pub fn env<K, V>(&mut self, k: K, v: V) -> &mut Command; pub fn env_remove<K>(&mut self, k: K) -> &mut Command; pub fn current_dir<P>(&mut self, p: P) -> &mut Command; pub fn stdin<T>(&mut self, t: T) -> &mut Command; pub fn stdout<T>(&mut self, t: T) -> &mut Command; pub fn stderr<T>(&mut self, t: T) -> &mut Command; pub fn spawn(&mut self) -> crate::io::Result<Child>; pub fn output(&mut self) -> crate::io::Result<Output>; pub fn status(&mut self) -> crate::io::Result<ExitStatus>; } impl Child { pub fn wait(&mut self) -> crate::io::Result<ExitStatus>; pub fn kill(&mut self) -> crate::io::Result<()>; pub fn id(&self) -> u32; pub fn wait_with_output(self) -> crate::io::Result<Output>; } impl ExitStatus { pub fn success(&self) -> bool; pub fn code(&self) -> Option<i32>; } impl Stdio { pub fn piped() -> Stdio; pub fn null() -> Stdio; pub fn inherit() -> Stdio; } pub fn exit(c: i32) -> !; pub fn id() -> u32; pub fn abort() -> !; }
pub mod net { pub enum IpAddr { V4(Ipv4Addr), V6(Ipv6Addr) } pub struct Ipv4Addr; pub struct Ipv6Addr; pub enum SocketAddr { V4(SocketAddrV4), V6(SocketAddrV6) } pub struct SocketAddrV4; pub struct SocketAddrV6; pub struct TcpStream; pub struct TcpListener; pub struct UdpSocket; pub enum Shutdown { Read, Write, Both } pub trait ToSocketAddrs {} }
pub mod panic { pub struct Location; pub struct AssertUnwindSafe<T>(pub T); pub struct PanicHookInfo; pub fn catch_unwind<R, F: FnOnce() -> R>(f: F) -> crate::thread::Result<R>; pub fn resume_unwind(p: Box<dyn crate::any::Any>) -> !; pub fn set_hook<F>(f: F); pub trait UnwindSafe {} pub trait RefUnwindSafe {} impl Location { pub fn caller() -> &Location; pub fn file(&self) -> &str; pub fn line(&self) -> u32; pub fn column(&self) -> u32; } impl<T> crate::ops::Deref for AssertUnwindSafe<T> { type Target = T; } }
pub mod alloc { pub struct Layout; pub use crate::{borrow, boxed, collections, fmt, rc, slice, str, string, sync, task, vec}; pub fn alloc(l: Layout) -> *mut u8; pub fn dealloc(p: *mut u8, l: Layout); pub fn handle_alloc_error(l: Layout) -> !; impl Layout { pub fn new<T>() -> Layout; pub fn array<T>(n: usize) -> Result<Layout, LayoutError>; pub fn size(&self) -> usize; pub fn align(&self) -> usize; } pub struct LayoutError; }
pub mod hint { pub fn black_box<T>(v: T) -> T; pub fn spin_loop(); pub fn unreachable_unchecked() -> !; pub fn assert_unchecked(b: bool); }
pub mod prelude { pub mod v1 {
    pub use crate::option::Option::{self, None, Some}; pub use crate::result::Result::{self, Err, Ok}; pub use crate::boxed::Box; pub use crate::string::{String, ToString}; pub use crate::vec::Vec; pub use crate::borrow::ToOwned; pub use crate::clone::Clone; pub use crate::cmp::{Eq, Ord, PartialEq, PartialOrd};
    pub use crate::convert::{AsMut, AsRef, From, Into, TryFrom, TryInto}; pub use crate::default::Default; pub use crate::iter::{DoubleEndedIterator, ExactSizeIterator, Extend, FromIterator, IntoIterator, Iterator}; pub use crate::marker::{Copy, Send, Sized, Sync, Unpin}; pub use crate::mem::{align_of, drop, size_of, size_of_val}; pub use crate::ops::{AsyncFn, Drop, Fn, FnMut, FnOnce};
} }
