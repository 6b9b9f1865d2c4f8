//! Sorting, compiled once. `[T]::sort_by` is compiled again for every type and every order, each time as much code as a
//! model of a robot; most of our lists are short.

use std::cmp::Ordering;

/// Sorts by an order; equal ones stay as they are.
pub fn sort_by<T>(list: &mut Vec<T>, order: impl Fn(&T, &T) -> Ordering) {
    let places = sorted_places(list.len(), &|a, b| order(&list[a], &list[b]));
    let mut given: Vec<Option<T>> = list.drain(..).map(Some).collect();
    list.extend(places.into_iter().filter_map(|place| given[place].take()));
}

/// The places of `count` things in their order.
fn sorted_places(count: usize, order: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    places.sort_by(|a, b| order(*a, *b));
    places
}

#[cfg(test)]
mod tests {
    use super::sort_by;

    #[test]
    fn equal_ones_keep_their_order() {
        let mut list = vec![(3, 'a'), (1, 'b'), (3, 'c'), (2, 'd'), (1, 'e')];
        let mut other = list.clone();
        sort_by(&mut list, |a, b| a.0.cmp(&b.0));
        other.sort_by_key(|pair| pair.0);
        assert_eq!(list, other);
        assert_eq!(list.iter().map(|pair| pair.1).collect::<String>(), "bedac");
    }
}
